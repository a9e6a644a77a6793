import type { PluginObj, types } from '@babel/core'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { RolldownBabelPreset } from '@rolldown/plugin-babel'

/**
 * Compiles the English messages in the code, after Lingui's macros, the way the catalogs are compiled.
 * English needs no catalog then, a missing translation shows it, and no message parser is sent to the browser.
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
        // As JSON: members that are undefined, like a plural's offset, need not be written.
        node.value = t.valueToNode(JSON.parse(JSON.stringify(compileMessage(node.value.value))))
      },
    },
  }
}
