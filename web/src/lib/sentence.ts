/** A message of the service as a sentence of its own: it writes what follows a field's name, like `must not be empty`. */
export const sentence = (message: string): string =>
  `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.!?。！？؟]$/.test(message) ? '' : fullStop(message)}`

/** In the script of the message, whatever the language of the page. */
const fullStop = (message: string) =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u.test(message) ? '。' : '.'
