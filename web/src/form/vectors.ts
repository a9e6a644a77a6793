/** The test cases in `tests/vectors`, which the server has to pass as well. For tests only. */

const files = import.meta.glob<string>('../../../tests/vectors/*.json', {
  query: '?raw',
  import: 'default',
  eager: true,
})

export const readVectors = (name: string): unknown =>
  JSON.parse(files[`../../../tests/vectors/${name}.json`] ?? 'null')
