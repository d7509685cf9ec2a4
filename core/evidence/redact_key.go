package evidence

import "strings"

// keyRule says what a value is when its key has a certain name.
type keyRule struct {
	kind string
	// strict keys are redacted whatever the value looks like; the others occur
	// in prose too ("token: expired"), so a bare value must look like one.
	strict bool
	// line keys own the rest of their line, as "Cookie: a=1; b=2".
	line bool
	// query keys count only inside a URL's query or a form.
	query bool
}

// keyRules maps key names without case, hyphens, underscores and spaces.
var keyRules = map[string]keyRule{
	"password": {kind: redactedPassword}, "passwd": {kind: redactedPassword}, "pwd": {kind: redactedPassword},
	"passphrase": {kind: redactedPassword}, "pgpassword": {kind: redactedPassword},
	"apikey": {kind: redactedAPIKey}, "xapikey": {kind: redactedAPIKey}, "xgoogapikey": {kind: redactedAPIKey},
	"ocpapimsubscriptionkey": {kind: redactedAPIKey}, "subscriptionkey": {kind: redactedAPIKey}, "accountkey": {kind: redactedAPIKey},
	"accesskey": {kind: redactedAPIKey}, "accesskeyid": {kind: redactedAPIKey}, "awsaccesskeyid": {kind: redactedAPIKey},
	"privatekey": {kind: redactedPrivateKey}, "signingkey": {kind: redactedSecret}, "encryptionkey": {kind: redactedSecret},
	"secretaccesskey": {kind: redactedSecret}, "awssecretaccesskey": {kind: redactedSecret}, "secretkey": {kind: redactedSecret},
	"sharedaccesskey": {kind: redactedSecret}, "credential": {kind: redactedSecret}, "credentials": {kind: redactedSecret},
	"authorization": {kind: redactedToken, line: true}, "proxyauthorization": {kind: redactedToken, line: true}, "xauthorization": {kind: redactedToken, line: true},
	"cookie": {kind: redactedCookie, line: true}, "setcookie": {kind: redactedCookie, line: true},
	"sessionid": {kind: redactedID}, "sessionkey": {kind: redactedToken}, "sid": {kind: redactedID, query: true},
	"requestid": {kind: redactedRequestID}, "xrequestid": {kind: redactedRequestID}, "cfray": {kind: redactedRequestID}, "rayid": {kind: redactedRequestID},
	"traceid": {kind: redactedRequestID}, "correlationid": {kind: redactedRequestID}, "xamznrequestid": {kind: redactedRequestID}, "amznrequestid": {kind: redactedRequestID},
	"organizationid": {kind: redactedOrgID}, "orgid": {kind: redactedOrgID}, "openaiorganization": {kind: redactedOrgID}, "anthropicorganizationid": {kind: redactedOrgID},
	"orguuid": {kind: redactedOrgID}, "organizationuuid": {kind: redactedOrgID}, "teamid": {kind: redactedOrgID}, "tenantid": {kind: redactedOrgID}, "workspaceid": {kind: redactedOrgID},
	"organization": {kind: redactedOrgID}, "accountid": {kind: redactedAccountID}, "chatgptaccountid": {kind: redactedAccountID}, "accountuuid": {kind: redactedAccountID},
	"account": {kind: redactedAccountID}, "accountnumber": {kind: redactedAccountID}, "customerid": {kind: redactedAccountID}, "subscriptionid": {kind: redactedAccountID},
	"projectid": {kind: redactedProjectID}, "projectnumber": {kind: redactedProjectID}, "openaiproject": {kind: redactedProjectID}, "xgooguserproject": {kind: redactedProjectID},
	"project": {kind: redactedProjectID}, "consumer": {kind: redactedProjectID},
	"userid": {kind: redactedUser}, "username": {kind: redactedUser}, "login": {kind: redactedUser, query: true}, "email": {kind: redactedEmail, query: true},
	"user": {kind: redactedUser, query: true}, "uid": {kind: redactedUser, query: true},
	"key": {kind: redactedAPIKey, query: true}, "sig": {kind: redactedSignature, query: true}, "signature": {kind: redactedSignature},
	"xamzsignature": {kind: redactedSignature, strict: true}, "xgoogsignature": {kind: redactedSignature, strict: true},
	"xamzcredential": {kind: redactedCredentials, strict: true}, "xgoogcredential": {kind: redactedCredentials, strict: true},
	"googleaccessid": {kind: redactedCredentials, strict: true},
	"code":           {kind: redactedToken, query: true}, "state": {kind: redactedToken, query: true}, "auth": {kind: redactedToken},
	"hmac": {kind: redactedSignature}, "jwt": {kind: redactedJWT}, "otp": {kind: redactedSecret}, "pin": {kind: redactedSecret, query: true},
}

// suffixRules apply to longer names, as GITHUB_PERSONAL_ACCESS_TOKEN and spring.datasource.password.
var suffixRules = []struct {
	suffix string
	rule   keyRule
}{
	{"apikey", keyRule{kind: redactedAPIKey}},
	{"password", keyRule{kind: redactedPassword}},
	{"passwd", keyRule{kind: redactedPassword}},
	{"secret", keyRule{kind: redactedSecret}},
	{"secretkey", keyRule{kind: redactedSecret}},
	{"privatekey", keyRule{kind: redactedPrivateKey}},
	{"token", keyRule{kind: redactedToken}},
	{"credential", keyRule{kind: redactedCredentials}},
	{"requestid", keyRule{kind: redactedRequestID}},
	{"accountid", keyRule{kind: redactedAccountID}},
	{"organizationid", keyRule{kind: redactedOrgID}},
	{"projectid", keyRule{kind: redactedProjectID}},
}

const maxKeyBytes = 64

// ruleOf returns the rule for a key as written.
func ruleOf(key string) (keyRule, bool) {
	var buf [maxKeyBytes]byte
	n := 0
	for i := 0; i < len(key) && n < len(buf); i++ {
		c := key[i]
		switch {
		case isUpper(c):
			buf[n] = c + 'a' - 'A'
			n++
		case isLower(c) || isDigit(c):
			buf[n] = c
			n++
		}
	}
	if rule, ok := keyRules[string(buf[:n])]; ok {
		return rule, true
	}
	name := string(buf[:n])
	for _, s := range suffixRules {
		if strings.HasSuffix(name, s.suffix) {
			return s.rule, true
		}
	}
	return keyRule{}, false
}

// keySpan finds the key that ends before the separator at i: a name, maybe in
// quotes that may be escaped, maybe of two words as "API key".
func (r *redactor) keySpan(i int) (from, to int, quote string) {
	to = i
	for to > r.copied && i-to < 4 && isSpace(r.text[to-1]) {
		to--
	}
	if to > r.copied && isQuote(r.text[to-1]) {
		end := to
		to--
		for to > r.copied && end-to < maxSlashes && r.text[to-1] == '\\' {
			to--
		}
		quote = r.text[to:end]
	}
	from = to
	for from > r.copied && to-from < maxKeyBytes && isKeyNameChar(r.text[from-1]) {
		from--
	}
	from = wordStart(r.text, from, to)
	if quote == "" && from > r.copied+4 {
		from -= secondWord(r.text[:from], r.text[from:to])
	}
	return from, to, quote
}

func isKeyNameChar(c byte) bool { return isKeyChar(c) || c == '.' }

// secondWord returns how far before "key" or "id" a two-word name begins.
func secondWord(before, last string) int {
	if !strings.EqualFold(last, "key") && !strings.EqualFold(last, "id") && !strings.EqualFold(last, "token") {
		return 0
	}
	if before[len(before)-1] != ' ' {
		return 0
	}
	n := 1
	for n < len(before) && n < 16 && isAlnum(before[len(before)-1-n]) {
		n++
	}
	return n
}
