/** Downloads the text as a file. */
export function download(name: string, text: string) {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
  downloadFrom(address, name)
  URL.revokeObjectURL(address)
}

/** Downloads the file at a URL without leaving the page; without a name, the service names it. */
export function downloadFrom(address: string, name = '') {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}
