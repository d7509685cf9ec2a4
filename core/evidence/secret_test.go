package evidence_test

import "strings"

// secret is a credential or a personal detail of one kind, in a context that
// it occurs in. The secrets are put together here from parts, so that no
// scanner takes this file for a leak.
type secret struct {
	name    string
	value   string // must not survive
	text    string // the context, with %s for the value
	want    string // the context after redaction
	hasJSON bool   // text is JSON and must stay JSON
}

func rep(s string, n int) string { return strings.Repeat(s, n) }

// random-looking filler of many lengths.
const filler = "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY"

func fill(n int) string { return rep(filler, n/len(filler)+1)[:n] }

var secrets = []secret{
	{name: "anthropic key", value: "sk-" + "ant-api03-" + fill(40), text: "invalid key %s given", want: "invalid key [redacted:api_key] given"},
	{name: "openai project key", value: "sk-" + "proj-" + fill(60), text: "(%s)", want: "([redacted:api_key])"},
	{name: "openai old key", value: "sk-" + fill(48), text: "key=%s;", want: "key=[redacted:api_key];"},
	{name: "masked key", value: "sk-" + "dummy***************0000", text: "Incorrect API key provided: %s. You can", want: "Incorrect API key provided: [redacted:api_key]. You can"},
	{name: "openrouter key", value: "sk-" + "or-v1-" + rep("0a1b", 16), text: "%s", want: "[redacted:api_key]"},
	{name: "google key", value: "AI" + "za" + fill(35), text: "https://x.test/v1?alt=sse&key=%s", want: "https://x.test/v1?alt=sse&key=[redacted:api_key]"},
	{name: "github token", value: "gh" + "p_" + fill(36), text: "remote: %s\n", want: "remote: [redacted:token]\n"},
	{name: "github oauth", value: "gh" + "o_" + fill(36), text: "x%s", want: "x[redacted:token]"},
	{name: "github fine grained", value: "github" + "_pat_" + fill(22) + "_" + fill(59), text: "%s", want: "[redacted:token]"},
	{name: "gitlab", value: "gl" + "pat-" + fill(20), text: "PRIVATE-TOKEN %s", want: "PRIVATE-TOKEN [redacted:token]"},
	{name: "slack", value: "xox" + "b-123456789012-" + fill(24), text: "%s,", want: "[redacted:token],"},
	{name: "xai", value: "xa" + "i-" + fill(80), text: "%s", want: "[redacted:api_key]"},
	{name: "groq", value: "gs" + "k_" + fill(52), text: "%s", want: "[redacted:api_key]"},
	{name: "hugging face", value: "h" + "f_" + fill(34), text: "%s", want: "[redacted:token]"},
	{name: "aws key id", value: "AK" + "IA" + "IOSFODNN7EXAMPL2", text: "id %s used", want: "id [redacted:api_key] used"},
	{name: "aws session key id", value: "AS" + "IA" + "IOSFODNN7EXAMPL2", text: "x-%s", want: "x-[redacted:api_key]"},
	{name: "aws secret, keyed", value: fill(38) + "/+", text: "aws_secret_access_key = %s", want: "aws_secret_access_key = [redacted:secret]"},
	{name: "aws secret, bare", value: fill(40), text: "secret %s here", want: "secret [redacted:secret] here"},
	{name: "jwt", value: "ey" + "JhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0NTY3ODkwIn0." + fill(43), text: "token %s", want: "token [redacted:jwt]"},
	{name: "jwt without signature", value: "ey" + "JhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0NTY3ODkwIn0", text: "%s", want: "[redacted:jwt]"},
	{name: "bearer", value: fill(20) + ".x-y_z", text: "Authorization: Bearer %s", want: "Authorization: Bearer [redacted:token]"},
	{name: "bearer in prose", value: fill(24), text: "sent bearer %s to", want: "sent bearer [redacted:token] to"},
	{name: "basic", value: "dXNlcjpw" + "YXNzd29yZA==", text: `-H "Authorization: Basic %s"`, want: `-H "Authorization: Basic [redacted:token]"`},
	{name: "pem", value: rep("MIIEvQIBADANBg\n", 3), text: "-----BEGIN " + "RSA PRIVATE KEY-----\n%s-----END RSA PRIVATE KEY-----\nrest", want: "[redacted:private_key]\nrest"},
	{name: "pem in JSON", value: rep(`MIIEvQIBADANBg\n`, 3), text: `{"private_key":"-----BEGIN ` + `PRIVATE KEY-----\n%s-----END PRIVATE KEY-----\n","type":"x"}`, want: `{"private_key":"[redacted:private_key]","type":"x"}`, hasJSON: true},
	{name: "pem cut off", value: rep("MIIEvQIBADANBg\n", 3), text: "-----BEGIN " + "PRIVATE KEY-----\n%s", want: "[redacted:private_key]"},
	{name: "JSON key", value: "abc" + "def", text: `{"api_key":"%s"}`, want: `{"api_key":"[redacted:api_key]"}`, hasJSON: true},
	{name: "JSON key, spaces", value: "hunter" + "2", text: `{"db": {"password" : "%s"}}`, want: `{"db": {"password" : "[redacted:password]"}}`, hasJSON: true},
	{name: "JSON escaped once", value: "hunter" + "2", text: `{"body":"{\"client_secret\":\"%s\"}"}`, want: `{"body":"{\"client_secret\":\"[redacted:secret]\"}"}`, hasJSON: true},
	{name: "JSON escaped twice", value: "hunter" + "2", text: `{"b":"{\"c\":\"{\\\"access_token\\\":\\\"%s\\\"}\"}"}`, want: `{"b":"{\"c\":\"{\\\"access_token\\\":\\\"[redacted:token]\\\"}\"}"}`, hasJSON: true},
	{name: "JSON with an escaped quote inside", value: `pa\"ss`, text: `{"password":"%s","x":1}`, want: `{"password":"[redacted:password]","x":1}`, hasJSON: true},
	{name: "JSON number", value: "123456" + "789012", text: `{"account_id":%s,"x":1}`, want: `{"account_id":"[redacted:account_id]","x":1}`, hasJSON: true},
	{name: "header list", value: "sid=abc" + "123; path=/", text: `{"set-cookie":["%s"],"x":1}`, want: `{"set-cookie":["[redacted:cookie]"],"x":1}`, hasJSON: true},
	{name: "flag", value: "abc" + "123def", text: "run --api-key %s --verbose", want: "run --api-key [redacted:api_key] --verbose"},
	{name: "quoted flag", value: "abc" + "123def", text: "run --password '%s' x", want: "run --password '[redacted:password]' x"},
	{name: "env", value: "abc" + "def", text: "export GITHUB_PERSONAL_ACCESS_TOKEN=%s && run", want: "export GITHUB_PERSONAL_ACCESS_TOKEN=[redacted:token] && run"},
	{name: "x-api-key", value: "k3y" + "value", text: "x-api-key: %s\nnext", want: "x-api-key: [redacted:api_key]\nnext"},
	{name: "cookie", value: "a=1; b=" + "secret2", text: "Cookie: %s\nHost: x", want: "Cookie: [redacted:cookie]\nHost: x"},
	{name: "query token", value: "s3cr" + "et", text: "https://x.test/cb?code=%s&x=1", want: "https://x.test/cb?code=[redacted:token]&x=1"},
	{name: "signed query", value: rep("0f", 32), text: "https://b.test/o?X-Amz-Signature=%s&X-Amz-Date=2026", want: "https://b.test/o?X-Amz-Signature=[redacted:signature]&X-Amz-Date=2026"},
	{name: "login token", value: rep("7ea0", 16), text: "http://x.test/auth/cli-login?authToken=%s\n", want: "http://x.test/auth/cli-login?authToken=[redacted:token]\n"},
	{name: "url userinfo", value: "bob:" + "pw1", text: "https://%s@git.test/r.git", want: "https://[redacted:credentials]@git.test/r.git"},
	{name: "dsn", value: "app:" + "p@ss/w#rd", text: "postgres://%s@db.test:5432/app", want: "postgres://[redacted:credentials]@db.test:5432/app"},
	{name: "keyword dsn", value: "pa$$" + "w0rd", text: "Server=db;User Id=sa;Password=%s;Encrypt=yes", want: "Server=db;User Id=sa;Password=[redacted:password];Encrypt=yes"},
	{name: "email", value: "jane.doe+ci" + "@corp.example", text: "Organization: %s's Organization", want: "Organization: [redacted:email]'s Organization"},
	{name: "email after an escape", value: "jane" + "@corp.example", text: `{"m":"for\n%s"}`, want: `{"m":"for\n[redacted:email]"}`, hasJSON: true},
	{name: "home", value: "jane" + "doe", text: "at /home/%s/.npm/x.js:1:2", want: "at /home/[redacted:user]/.npm/x.js:1:2"},
	{name: "mac home", value: "jane" + "doe", text: "file:///Users/%s/a", want: "file:///Users/[redacted:user]/a"},
	{name: "windows home", value: "Jane " + "Doe", text: `C:\Users\%s\AppData\x`, want: `C:\Users\[redacted:user]\AppData\x`},
	{name: "windows home in JSON", value: "jane" + "doe", text: `{"cwd":"C:\\Users\\%s\\src"}`, want: `{"cwd":"C:\\Users\\[redacted:user]\\src"}`, hasJSON: true},
	{name: "ipv4", value: "203.0." + "113.7", text: "connect %s:443 failed", want: "connect [redacted:ip]:443 failed"},
	{name: "ipv6", value: "2001:db8:" + "85a3::8a2e:370:7334", text: "[%s]:443", want: "[[redacted:ip]]:443"},
	{name: "request id", value: "req_" + "011CSHoEeqsKxWbKcUUqRxFy", text: "request id: %s", want: "request id: [redacted:request_id]"},
	{name: "request id, other shape", value: "8f00000000" + "00abcd-FRA", text: "cf-ray: %s)", want: "cf-ray: [redacted:request_id])"},
	{name: "organisation", value: "org-" + fill(24), text: "in organization %s on tokens", want: "in organization [redacted:org_id] on tokens"},
	{name: "project", value: "proj_" + fill(24), text: "`%s`", want: "`[redacted:project_id]`"},
	{name: "google project", value: "my-proj" + "ect-4711", text: "projects/%s/locations/global", want: "projects/[redacted:project_id]/locations/global"},
	{name: "arn", value: "1234567" + "89012", text: "arn:aws:bedrock:us-east-1:%s:inference-profile/x", want: "arn:aws:bedrock:us-east-1:[redacted:account_id]:inference-profile/x"},
	{name: "uuid", value: "3f2504e0-4f89-" + "11d3-9a0c-0305e82c3301", text: "session %s", want: "session [redacted:id]"},
}
