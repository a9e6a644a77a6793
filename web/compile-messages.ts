import type { PluginObj, types } from '@babel/core'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { RolldownBabelPreset } from '@rolldown/plugin-babel'

/**
 * Compiles the English messages in the code, after Lingui's macros, like the catalogs. English then needs no catalog, a
 * missing translation falls back to it, and the browser needs no message parser.
 */
export const compileMessages: RolldownBabelPreset = {
  preset: { plugins: [plugin] },
  rolldown: { filter: { code: /from '@lingui\/(core|react)\/macro'/ } },
}

function plugin({ types: t }: { types: typeof types }): PluginObj {
  return {
    visitor: {
      ObjectProperty({ node, parent }) {
        const isDescriptor = parent.leadingComments?.some(({ value }) => value.includes('i18n'))
        if (!isDescriptor || !t.isIdentifier(node.key, { name: 'message' }) || !t.isStringLiteral(node.value))
          return
        // As JSON, which leaves out undefined members, such as a plural's offset.
        node.value = t.valueToNode(JSON.parse(JSON.stringify(compileMessage(node.value.value))))
      },
    },
  }
}
