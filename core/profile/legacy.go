package profile

import (
	"fmt"
	"maps"
	"slices"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/recovery"
)

// LegacyActions is what an older configuration says about failures: an action
// by class, by code, or both. It is turned into class policies when it is written.
type LegacyActions struct {
	ByClass map[string]string
	ByCode  map[string]string
}

// The actions.
const (
	LegacyRetrySame = "retry_same" // the same profile again, after a short while, then stop
	LegacyTryNext   = "try_next"   // the next candidate at once
	LegacyStop      = "stop"       // a person decides
)

const (
	legacyByClass = "dynamic.legacy_actions.by_class"
	legacyByCode  = "dynamic.legacy_actions.by_code"
)

// saying is one action with the field that it stands in.
type saying struct{ field, action string }

// empty says that there is nothing in it.
func (l *LegacyActions) empty() bool { return l == nil || len(l.ByClass)+len(l.ByCode) == 0 }

// perClass gives the one action of each of the classes that it speaks of.
func (l *LegacyActions) perClass(p *problems) map[classification.Class]saying {
	said := map[classification.Class]saying{}
	if l.empty() {
		return said
	}
	for _, class := range slices.Sorted(maps.Keys(l.ByClass)) {
		s := saying{fmt.Sprintf("%s[%q]", legacyByClass, class), l.ByClass[class]}
		s.take(p, said, classification.Class(class))
	}
	for _, code := range slices.Sorted(maps.Keys(l.ByCode)) {
		s := saying{fmt.Sprintf("%s[%q]", legacyByCode, code), l.ByCode[code]}
		if !knownCode(code) {
			p.add(s.field, "there is no such code")
			continue
		}
		s.take(p, said, classification.ClassOf(classification.Code(code)))
	}
	return said
}

// take checks one action and that it says what others of its class say.
func (s saying) take(p *problems, said map[classification.Class]saying, class classification.Class) {
	switch s.action {
	case LegacyRetrySame, LegacyTryNext, LegacyStop:
	default:
		p.add(s.field, "must be %s, %s or %s", LegacyRetrySame, LegacyTryNext, LegacyStop)
		return
	}
	switch class {
	case classification.ClassTransient, classification.ClassHard:
	case classification.ClassNonProvider, classification.ClassUnclassified:
		if s.action != LegacyStop {
			p.add(s.field, "must be %s: nothing ever follows a failure of class %s by itself", LegacyStop, class)
		}
		return
	default:
		p.add(s.field, "there is no such class")
		return
	}
	first, spoken := said[class]
	if spoken && first.action != s.action {
		p.add(first.field, "says %s, and %s says %s: the class %s has one policy", first.action, s.field, s.action, class)
		p.add(s.field, "says %s, and %s says %s: the class %s has one policy", s.action, first.field, first.action, class)
		return
	}
	said[class] = s
}

func knownCode(code string) bool {
	return slices.ContainsFunc(classification.Codes(), func(c classification.CodeInfo) bool { return string(c.Code) == code })
}

// legacyPolicy is the class policy that an action stands for.
func legacyPolicy(action string, s recovery.Settings) recovery.ClassPolicy {
	switch action {
	case LegacyRetrySame:
		short := recovery.Unattended(s).Transient
		short.OnExhausted = recovery.ExhaustedStop
		return short
	case LegacyTryNext:
		return recovery.ClassPolicy{OnExhausted: recovery.ExhaustedSkip}
	}
	return recovery.ClassPolicy{OnExhausted: recovery.ExhaustedStop}
}
