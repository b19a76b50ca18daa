import { expect, it } from 'vitest';
import { embedOf, frameHosts } from '../../src/render/embeds.ts';

it.each([
  ['https://www.youtube.com/watch?v=a_b-C1', 'https://www.youtube-nocookie.com/embed/a_b-C1'],
  ['https://youtu.be/a_b-C1?t=7', 'https://www.youtube-nocookie.com/embed/a_b-C1'],
  ['https://m.youtube.com/shorts/abc', 'https://www.youtube-nocookie.com/embed/abc'],
  ['https://vimeo.com/123', 'https://player.vimeo.com/video/123'],
  ['https://player.vimeo.com/video/123', 'https://player.vimeo.com/video/123'],
  ['https://www.loom.com/share/abc', 'https://www.loom.com/embed/abc'],
  [
    'https://www.figma.com/design/abc?x=1',
    'https://www.figma.com/embed?embed_host=docs&url=https%3A%2F%2Fwww.figma.com%2Fdesign%2Fabc%3Fx%3D1',
  ],
  ['https://codepen.io/ann/pen/abc', 'https://codepen.io/ann/embed/abc'],
  ['https://codesandbox.io/s/abc', 'https://codesandbox.io/embed/abc'],
  ['https://open.spotify.com/track/abc', 'https://open.spotify.com/embed/track/abc'],
  ['https://open.spotify.com/embed/show/abc', 'https://open.spotify.com/embed/show/abc'],
])('shows %s in a frame of an allowed host', (address, frame) => {
  const embed = embedOf(address);
  expect(embed?.frame).toBe(frame);
  expect(embed?.name).not.toBe('');
  expect(frameHosts).toContain(new URL(frame).origin);
});

it.each([
  'no address',
  'https://a.example/watch?v=abc',
  'https://youtube.com.a.example/watch?v=abc',
  'https://www.youtube.com/watch',
  'https://youtu.be/',
  'https://vimeo.com/about',
  'https://www.loom.com/abc',
  'https://www.figma.com/about',
  'https://codepen.io/ann/about/abc',
  'https://codepen.io/pen/abc',
  'https://codesandbox.io/about',
  'https://open.spotify.com/user/abc',
])('shows %s without a frame', (address) => {
  expect(embedOf(address)).toBeUndefined();
});
