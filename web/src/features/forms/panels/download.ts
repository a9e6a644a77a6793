/** Gives the person a file with this text. */
export function download(name: string, text: string) {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
  downloadFrom(address, name)
  URL.revokeObjectURL(address)
}

/** Gives the person the file behind an address; without a name, the service names it. The page stays. */
export function downloadFrom(address: string, name = '') {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}
