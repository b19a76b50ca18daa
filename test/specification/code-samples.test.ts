import { describe, expect, it } from 'vitest';
import { writeSamples } from '../../src/specification/code-samples.ts';
import type { OperationView } from '../../src/specification/view-operation.ts';

const operation = (more: object): OperationView =>
  ({
    method: 'get',
    path: '/pets',
    isWebhook: false,
    servers: ['https://api.example.com/v1/'],
    security: [],
    parameters: [],
    ...more,
  }) as unknown as OperationView;
const samples = (more: object): Record<string, string> =>
  Object.fromEntries(writeSamples(operation(more)).map(({ label, code }) => [label, code]));
const field = (name: string, isRequired: boolean, schema: object = {}) => ({
  name,
  isRequired,
  schema: { values: [], ...schema },
});
const bodyOf = (mediaType: string, text?: string) => ({
  contents: [
    { mediaType, examples: text === undefined ? [] : [{ text }] },
    { mediaType: 'text/other', examples: [] },
  ],
});

describe('the code samples of an operation', () => {
  it('are taken from the specification, and do not exist for webhooks', () => {
    const stated = [{ label: 'Go', syntax: 'go', code: 'get()' }];
    expect(writeSamples(operation({ samples: stated, isWebhook: true }))).toBe(stated);
    expect(writeSamples(operation({ samples: [] }))).toEqual([]);
    expect(writeSamples(operation({ isWebhook: true }))).toEqual([]);
  });

  it('make a request without options', () => {
    expect(samples({})).toEqual({
      curl: "curl 'https://api.example.com/v1/pets'",
      JavaScript:
        'const response = await fetch("https://api.example.com/v1/pets");\nconst data = await response.json();',
      Python:
        'import requests\n\nresponse = requests.get(\n    "https://api.example.com/v1/pets",\n)\nprint(response.json())',
      HTTP: 'GET /v1/pets HTTP/1.1\nHost: api.example.com',
    });
  });

  it('keep an invalid percent sign in a path', () => {
    expect(samples({ path: '/pets/%zz/{id}' })['HTTP']).toContain('/v1/pets/%zz/');
  });

  it('make a request with a JSON body and headers', () => {
    const body = bodyOf('application/json', '{\n  "it\'s": [true, null, {}, []],\n  "n": 1.5\n}');
    const security = [[{ place: 'header Authorization: Bearer' }], [{ place: 'header X-Other' }]];
    expect(samples({ method: 'post', body, security })).toMatchInlineSnapshot(`
      {
        "HTTP": "POST /v1/pets HTTP/1.1
      Host: api.example.com
      Authorization: Bearer YOUR_SECRET_TOKEN
      Content-Type: application/json

      {
        "it's": [true, null, {}, []],
        "n": 1.5
      }",
        "JavaScript": "const response = await fetch("https://api.example.com/v1/pets", {
        method: 'POST',
        headers: {
          "Authorization": "Bearer YOUR_SECRET_TOKEN",
          "Content-Type": "application/json",
        },
        body: JSON.stringify({
          "it's": [true, null, {}, []],
          "n": 1.5
        }),
      });
      const data = await response.json();",
        "Python": "import requests

      response = requests.post(
          "https://api.example.com/v1/pets",
          headers={
              "Authorization": "Bearer YOUR_SECRET_TOKEN",
              "Content-Type": "application/json",
          },
          json={
              "it's": [
                  True,
                  None,
                  {},
                  []
              ],
              "n": 1.5
          },
      )
      print(response.json())",
        "curl": "curl -X POST 'https://api.example.com/v1/pets' \\
        -H 'Authorization: Bearer YOUR_SECRET_TOKEN' \\
        -H 'Content-Type: application/json' \\
        -d '{
        "it'\\''s": [true, null, {}, []],
        "n": 1.5
      }'",
      }
    `);
  });

  it('make a request with a body in another format', () => {
    expect(samples({ method: 'put', body: bodyOf('text/plain', 'a "b"\n') })).toMatchInlineSnapshot(`
      {
        "HTTP": "PUT /v1/pets HTTP/1.1
      Host: api.example.com
      Content-Type: text/plain

      a "b"
      ",
        "JavaScript": "const response = await fetch("https://api.example.com/v1/pets", {
        method: 'PUT',
        headers: {
          "Content-Type": "text/plain",
        },
        body: "a \\"b\\"\\n",
      });
      const data = await response.json();",
        "Python": "import requests

      response = requests.put(
          "https://api.example.com/v1/pets",
          headers={
              "Content-Type": "text/plain",
          },
          data="a \\"b\\"\\n",
      )
      print(response.json())",
        "curl": "curl -X PUT 'https://api.example.com/v1/pets' \\
        -H 'Content-Type: text/plain' \\
        -d 'a "b"
      '",
      }
    `);
    expect(samples({ method: 'put', body: bodyOf('text/plain') })['curl']).toBe(
      "curl -X PUT 'https://api.example.com/v1/pets' \\\n  -H 'Content-Type: text/plain'",
    );
  });

  it('send a form with its files', () => {
    const fields = [
      field('file', true, { type: 'string · binary' }),
      field('note', false, { type: 'string' }),
    ];
    const form = (mediaType: string, example: object) => ({
      contents: [{ mediaType, schema: { fields }, examples: [{ text: JSON.stringify(example) }] }],
    });
    const example = { file: 'text', note: "it's @home", n: 1 };
    expect(samples({ method: 'post', body: form('multipart/form-data', example) })).toMatchInlineSnapshot(`
      {
        "HTTP": "POST /v1/pets HTTP/1.1
      Host: api.example.com
      Content-Type: multipart/form-data; boundary=BOUNDARY

      --BOUNDARY
      Content-Disposition: form-data; name="file"; filename="FILE"

      …
      --BOUNDARY
      Content-Disposition: form-data; name="note"

      it's @home
      --BOUNDARY
      Content-Disposition: form-data; name="n"

      1
      --BOUNDARY--",
        "JavaScript": "const form = new FormData();
      form.append("file", file);
      form.append("note", "it's @home");
      form.append("n", "1");

      const response = await fetch("https://api.example.com/v1/pets", {
        method: 'POST',
        body: form,
      });
      const data = await response.json();",
        "Python": "import requests

      response = requests.post(
          "https://api.example.com/v1/pets",
          files={
              "file": open("FILE", "rb"),
              "note": (None, "it's @home"),
              "n": (None, "1"),
          },
      )
      print(response.json())",
        "curl": "curl -X POST 'https://api.example.com/v1/pets' \\
        -F 'file=@FILE' \\
        --form-string 'note=it'\\''s @home' \\
        --form-string 'n=1'",
      }
    `);
    const { file: _, ...texts } = example;
    expect(samples({ method: 'post', body: form('application/x-www-form-urlencoded', texts) }))
      .toMatchInlineSnapshot(`
      {
        "HTTP": "POST /v1/pets HTTP/1.1
      Host: api.example.com
      Content-Type: application/x-www-form-urlencoded

      note=it%27s+%40home&n=1",
        "JavaScript": "const form = new URLSearchParams();
      form.append("note", "it's @home");
      form.append("n", "1");

      const response = await fetch("https://api.example.com/v1/pets", {
        method: 'POST',
        headers: {
          "Content-Type": "application/x-www-form-urlencoded",
        },
        body: form,
      });
      const data = await response.json();",
        "Python": "import requests

      response = requests.post(
          "https://api.example.com/v1/pets",
          headers={
              "Content-Type": "application/x-www-form-urlencoded",
          },
          data={
              "note": "it's @home",
              "n": "1",
          },
      )
      print(response.json())",
        "curl": "curl -X POST 'https://api.example.com/v1/pets' \\
        -H 'Content-Type: application/x-www-form-urlencoded' \\
        --data-urlencode 'note=it'\\''s @home' \\
        --data-urlencode 'n=1'",
      }
    `);
  });

  it('contain no JSON if the body is XML', () => {
    const xml = samples({ method: 'post', body: bodyOf('application/xml', '{"a":1}') });
    expect(xml['curl']).toBe(
      "curl -X POST 'https://api.example.com/v1/pets' \\\n  -H 'Content-Type: application/xml'",
    );
    expect(samples({ method: 'post', body: bodyOf('application/xml', '<a/>') })['curl']).toContain(
      "-d '<a/>'",
    );
  });

  it('contain the required parameters, and each header once', () => {
    const parameter = (name: string, isRequired: boolean, ...values: readonly string[]) => ({
      ...field(name, isRequired),
      samples: values,
    });
    const parameters = [
      { place: 'query', fields: [parameter('a', true, 'x y', 'z'), parameter('b', false, 'x')] },
      {
        place: 'header',
        fields: [
          parameter('X-One', true, '1'),
          parameter('X-No', false, '1'),
          parameter('content-type', true, 'text'),
          parameter('Authorization', true, 'text'),
        ],
      },
      { place: 'cookie', fields: [parameter('c', true, '1')] },
      { place: 'path', fields: [parameter('id', true, '1')] },
    ];
    const security = [[{ place: 'header Authorization: Bearer' }, { place: 'cookie sid' }]];
    const body = bodyOf('text/plain', 'a');
    expect(samples({ path: '/pets/{id}', parameters, security, body })['HTTP']).toBe(
      [
        'GET /v1/pets/{id}?a=x+y&a=z HTTP/1.1',
        'Host: api.example.com',
        'X-One: 1',
        'Content-Type: text/plain',
        'Authorization: Bearer YOUR_SECRET_TOKEN',
        'Cookie: c=1; sid=YOUR_API_KEY',
        '',
        'a',
      ].join('\n'),
    );
  });

  it.each([
    ['header X-Key', 'X-Key: YOUR_API_KEY'],
    ['header X.Key', 'X.Key: YOUR_API_KEY'],
    ['cookie sid', 'Cookie: sid=YOUR_API_KEY'],
    ['header Authorization: Basic', 'Authorization: Basic YOUR_SECRET_TOKEN'],
    ['OAuth 2', 'Authorization: Bearer YOUR_SECRET_TOKEN'],
    ['OpenID Connect', 'Authorization: Bearer YOUR_SECRET_TOKEN'],
    ['query key', 'GET /v1/pets?key=YOUR_API_KEY'],
  ])('authenticate with %s', (place, expected) => {
    expect(samples({ security: [[{ place }]] })['HTTP']).toContain(expected);
  });

  it('use an example host if the server has none', () => {
    expect(samples({ servers: [] })['HTTP']).toBe('GET /pets HTTP/1.1\nHost: api.example.com');
    expect(samples({ servers: ['/v2'] })['HTTP']).toBe('GET /v2/pets HTTP/1.1\nHost: api.example.com');
    expect(samples({ servers: ['/v2'] })['curl']).toBe("curl 'https://api.example.com/v2/pets'");
    expect(samples({ servers: ['//pets.example'] })['curl']).toBe("curl 'https://pets.example/pets'");
  });

  it('do not wait for the body of a response to HEAD', () => {
    expect(samples({ method: 'head' })['curl']).toBe("curl --head 'https://api.example.com/v1/pets'");
  });
});
