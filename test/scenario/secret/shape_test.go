package secret

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
)

// planted is one secret as it stands in a text.
type planted struct {
	shape string
	text  string // with what makes it known: its prefix, its key, its scheme
	hide  string // the part that must not be seen anywhere, at least window bytes
	// words says that its text has blanks or line ends of its own, or that it is
	// too short for a terminal to wrap.
	words bool
}

const (
	lower  = "abcdefghijklmnopqrstuvwxyz"
	upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits = "0123456789"
	alnum  = lower + upper + digits
)

func pick(r *rand.Rand, set string, n int) string {
	var b strings.Builder
	for range n {
		b.WriteByte(set[r.IntN(len(set))])
	}
	return b.String()
}

// mixed is random text of letters of both cases and digits, as keys are.
func mixed(r *rand.Rand, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteByte([]string{lower, upper, digits, alnum}[i%4][r.IntN(10)])
	}
	return b.String()
}

// shapes make one fresh secret each. They are put together from parts, so that
// no scanner takes this file for a leak.
var shapes = []func(r *rand.Rand) planted{
	prefixed("sk-", 48), prefixed("sk-"+"ant-api03-", 90), prefixed("sk-"+"proj-", 120), prefixed("sk-"+"or-v1-", 64),
	prefixed("AI"+"za", 35), prefixed("gh"+"p_", 36), prefixed("gh"+"o_", 36), prefixed("github"+"_pat_", 70),
	prefixed("xa"+"i-", 80), prefixed("gs"+"k_", 52), prefixed("org"+"-", 24), prefixed("proj"+"_", 24), prefixed("acct"+"_", 16),
	prefixed("req"+"_", 24), prefixed("h"+"f_", 34), prefixed("gl"+"pat-", 20),
	func(r *rand.Rand) planted { return whole("aws key", "AK"+"IA", pick(r, upper+digits, 16)) },
	func(r *rand.Rand) planted { return whole("aws session key", "AS"+"IA", pick(r, upper+digits, 16)) },
	func(r *rand.Rand) planted { return whole("aws secret", "", mixed(r, 40)) },
	func(r *rand.Rand) planted {
		return whole("aws secret, keyed", "aws_secret_access_key=", mixed(r, 38)+"/+")
	},
	func(r *rand.Rand) planted {
		body := mixed(r, 40) + "." + mixed(r, 43)
		return planted{shape: "jwt", text: "ey" + "JhbGciOiJIUzI1NiJ9." + body, hide: body}
	},
	func(r *rand.Rand) planted { return whole("bearer", "Authorization: Bearer ", mixed(r, 40)) },
	func(r *rand.Rand) planted {
		value := base64.StdEncoding.EncodeToString([]byte("robot:" + mixed(r, 24)))
		return whole("basic", "authorization: Basic ", value)
	},
	func(r *rand.Rand) planted { return whole("api key header", "x-api-key: ", mixed(r, 32)) },
	func(r *rand.Rand) planted { return whole("cookie", "Cookie: theme=dark; session=", mixed(r, 32)) },
	pem,
	func(r *rand.Rand) planted {
		who := pick(r, lower, 12) + ":" + mixed(r, 16)
		return planted{shape: "userinfo", text: "https://" + who + "@git.test/team/repository.git", hide: who, words: true}
	},
	func(r *rand.Rand) planted {
		sign := pick(r, "0123456789abcdef", 64)
		return planted{shape: "signed query", text: "https://b.test/o?X-Amz-Expires=60&X-Amz-Signature=" + sign, hide: sign, words: true}
	},
	func(r *rand.Rand) planted {
		sign := pick(r, alnum, 44)
		return planted{shape: "shared access", text: "https://b.test/o?sv=2022-11-02&sig=" + sign + "&se=2026", hide: sign, words: true}
	},
	func(r *rand.Rand) planted {
		name := pick(r, lower, 14)
		return planted{shape: "email", text: name + "@corp.example", hide: name, words: true}
	},
	func(r *rand.Rand) planted {
		name := pick(r, lower, 14)
		at := []string{"/home/%s/.config/x", "/Users/%s/src/app", `C:\Users\%s\AppData`}[r.IntN(3)]
		return planted{shape: "home", text: fmt.Sprintf(at, name), hide: name, words: true}
	},
	func(r *rand.Rand) planted {
		n := func() int { return 100 + r.IntN(100) }
		ip := fmt.Sprintf("%d.%d.%d.%d", 128+r.IntN(60), n(), n(), n())
		return planted{shape: "ip", text: ip, hide: ip, words: true}
	},
	func(r *rand.Rand) planted {
		id := pick(r, digits, 12)
		return planted{shape: "arn", text: "arn:aws:bedrock:us-east-1:" + id + ":inference-profile/x", hide: id, words: true}
	},
	func(r *rand.Rand) planted {
		value := mixed(r, 20)
		return planted{shape: "json password", text: `{"password":"` + value + `"}`, hide: value, words: true}
	},
}

func prefixed(prefix string, n int) func(*rand.Rand) planted {
	return func(r *rand.Rand) planted { return whole(prefix, prefix, mixed(r, n)) }
}

func whole(shape, before, value string) planted {
	return planted{shape: shape, text: before + value, hide: value}
}

func pem(r *rand.Rand) planted {
	var body strings.Builder
	for range 20 {
		body.WriteString(mixed(r, 64) + "\n")
	}
	label := []string{"RSA ", "EC ", "OPENSSH ", ""}[r.IntN(4)] + "PRIVATE KEY-----"
	return planted{
		shape: "pem", hide: body.String(), words: true,
		text: "-----BEGIN " + label + "\n" + body.String() + "-----END " + label,
	}
}
