/**
 * SHA-256 by FIPS 180-4. The browser's own needs a promise for each hash and works only over HTTPS; this one tries
 * hundreds of thousands a second, everywhere.
 */

const primes = (count: number): number[] => {
  const found: number[] = []
  for (let number = 2; found.length < count; number++)
    if (found.every(prime => number % prime !== 0)) found.push(number)
  return found
}

/** The first 32 bits of the fraction. */
const fraction = (value: number): number => ((value - Math.floor(value)) * 2 ** 32) | 0

const ROUNDS = Int32Array.from(primes(64), prime => fraction(Math.cbrt(prime)))
export const START = Int32Array.from(primes(8), prime => fraction(Math.sqrt(prime)))
export const BLOCK = 64

const words = new Int32Array(64)

/** Compresses one block of 64 bytes, from state `before` to `after`. */
export function compress(before: Int32Array, after: Int32Array, bytes: Uint8Array, offset: number): void {
  for (let i = 0; i < 16; i++) {
    const at = offset + i * 4
    words[i] =
      (at4(bytes, at) << 24) | (at4(bytes, at + 1) << 16) | (at4(bytes, at + 2) << 8) | at4(bytes, at + 3)
  }
  for (let i = 16; i < 64; i++) {
    const x = words[i - 15] as number
    const y = words[i - 2] as number
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10)
    words[i] = ((words[i - 16] as number) + s0 + (words[i - 7] as number) + s1) | 0
  }
  let a = before[0] as number
  let b = before[1] as number
  let c = before[2] as number
  let d = before[3] as number
  let e = before[4] as number
  let f = before[5] as number
  let g = before[6] as number
  let h = before[7] as number
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (ROUNDS[i] as number) + (words[i] as number)) | 0
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  after[0] = ((before[0] as number) + a) | 0
  after[1] = ((before[1] as number) + b) | 0
  after[2] = ((before[2] as number) + c) | 0
  after[3] = ((before[3] as number) + d) | 0
  after[4] = ((before[4] as number) + e) | 0
  after[5] = ((before[5] as number) + f) | 0
  after[6] = ((before[6] as number) + g) | 0
  after[7] = ((before[7] as number) + h) | 0
}

const at4 = (bytes: Uint8Array, at: number): number => bytes[at] as number

/** Pads the end of a message whose first `length` bytes are in `bytes`: the bit, the zeros and the number of bits. */
export function pad(bytes: Uint8Array, length: number, total: number): number {
  const end = length + 9 > BLOCK ? 2 * BLOCK : BLOCK
  bytes.fill(0, length, end)
  bytes[length] = 0x80
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(end - 4, total * 8)
  return end
}
