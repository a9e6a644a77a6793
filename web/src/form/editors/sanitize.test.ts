import { describe, expect, it } from 'vitest'
import { elementNames } from './element-names'
import { findHiddenTags, findLostTags, hasElement, sanitizeHtml } from './sanitize'

describe('sanitised HTML', () => {
  it.each([
    ['<p onclick="x()">a<img src=x onerror=x()>b</p>', '<p>ab</p>'],
    ['a<script>x()</script><style>*{}</style>b', 'ab'],
    ['<a href="javascript:x()">a</a>', '<a>a</a>'],
    ['<a href="JaVaScRiPt&colon;x()">a</a>', '<a>a</a>'],
    ['<a href="/settings" target="_top">a</a>', '<a>a</a>'],
    ['<a href="https://a.example/?b=1" id="b" class="c">a</a>', '<a href="https://a.example/?b=1">a</a>'],
    ['<iframe srcdoc="<script>x()</script>"></iframe>a', 'a'],
    ['<svg><script>x()</script><a href="javascript:x()"><text>t</text></a></svg>a', 'a'],
    ['<math><mtext><table><mglyph><style><img src=x onerror=x()>', ''],
    ['<template><p>a</p></template>b', 'b'],
    ['<noscript><p title="</noscript><img src=x onerror=x()>"></noscript>a', '">a'],
    ['<form action="https://evil.example"><button formaction="javascript:x()">a</button></form>', 'a'],
    ['<font color="red"><b>a</b></font>', '<b>a</b>'],
    ['<p style="position:fixed" data-x="1" aria-label="b">a</p>', '<p>a</p>'],
    [
      '<table><tr><td colspan="2">a</td></tr></table>',
      '<table><tbody><tr><td colspan="2">a</td></tr></tbody></table>',
    ],
    ['<html><head><title>t</title></head><body><p>a</p></body></html>', '<p>a</p>'],
    ['<!-- a --><!doctype html>b', 'b'],
    ['&lt;script&gt;', '&#x3C;script>'],
    ['', ''],
  ])('%s', (html, clean) => {
    expect(sanitizeHtml(html)).toBe(clean)
  })

  it('is clean when it is read again', () => {
    const hostile =
      '<p>a</p><div><table><b></table><a href=https://a.example><a>x</a></div>&lt;img src=x onerror=x()&gt;'
    const once = sanitizeHtml(hostile)
    expect(sanitizeHtml(once)).toBe(once)
  })

  it('keeps text that is nested deeper than any browser goes', () => {
    const html = `${'<div>'.repeat(50_000)}deep<script>x()</script><b>er</b>`
    expect(sanitizeHtml(html)).toContain('deeper')
    expect(sanitizeHtml(html)).not.toContain('x()')
    expect(findLostTags(html)).toEqual([])
  })

  it('takes as many elements as there are', () => {
    expect(sanitizeHtml('<br>'.repeat(150_000))).toHaveLength(4 * 150_000)
  })
})

describe('what editing would lose', () => {
  it.each([
    ['<p>a <b>b</b></p>', []],
    [
      '<table><tbody><tr><td>a</td></tr></tbody></table><img src="https://a.example/b.png">',
      ['table', 'img'],
    ],
    ['<div><span>a</span></div>', []],
  ])('%s', (html, lost) => {
    expect(findLostTags(html)).toEqual(lost)
  })
})

describe('what the page does not show', () => {
  it.each([
    ['<p>a <b>b</b></p><table><tr><td>c</td></tr></table>', []],
    ['<p>a</p><img src="x"><script>x()</script><form><input></form>', ['img', 'script', 'form', 'input']],
    ['<font color="red">a</font>', []],
  ])('%s', (html, hidden) => {
    expect(findHiddenTags(html)).toEqual(hidden)
  })

  it('finds elements by their names', () => {
    expect(hasElement('<p><IMG src=x></p>', 'img')).toBe(true)
    expect(hasElement('<p>img</p><imgs>', 'img')).toBe(false)
    expect(hasElement('<x(y>', 'x(y')).toBe(true)
  })

  it('names them for people', () => {
    expect(elementNames(['img'])).toBe('images')
    expect(elementNames(['img', 'table', 'script'])).toBe('images, tables, and scripts')
    expect(elementNames(['x-card', 'dl', 'dd', 'x-list'])).toBe('definition lists and other HTML elements')
    expect(elementNames(['constructor'])).toBe('other HTML elements')
  })
})
