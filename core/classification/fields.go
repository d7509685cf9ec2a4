package classification

import (
	"strings"
)

// fieldIndex finds the field conditions that one key could satisfy.
type fieldIndex struct {
	atoms []fieldAtom
	byKey map[string]keyEntry // by the last key, normalised
}

// keyEntry is all that one key may mean, found in one look-up.
type keyEntry struct {
	atoms  []int32
	status bool // its value may be an HTTP status
	hint   bool // its value may be a stated time
}

// addMeanings adds the keys of statuses and of stated times.
func (x *fieldIndex) addMeanings(statuses, hints []string) {
	for _, k := range statuses {
		e := x.byKey[k]
		e.status = true
		x.byKey[k] = e
	}
	for _, k := range hints {
		e := x.byKey[k]
		e.hint = true
		x.byKey[k] = e
	}
}

// fieldAtom is one path with the values that satisfy it. Several rules share it.
type fieldAtom struct {
	path     []string // normalised, outermost first
	values   map[string]bool
	triggers []int32
}

// fieldCheck is a Field of one rule: any of the atoms.
type fieldCheck struct {
	atoms []int32
	not   bool
}

func (x *fieldIndex) check(f Field) fieldCheck {
	c := fieldCheck{not: f.Not}
	for _, p := range f.Paths {
		a := fieldAtom{values: map[string]bool{}}
		for key := range strings.SplitSeq(p, ".") {
			a.path = append(a.path, normalName(key))
		}
		for _, v := range f.Values {
			a.values[normalName(v)] = true
		}
		id := int32(len(x.atoms))
		x.atoms = append(x.atoms, a)
		last := a.path[len(a.path)-1]
		e := x.byKey[last]
		e.atoms = append(e.atoms, id)
		x.byKey[last] = e
		c.atoms = append(c.atoms, id)
	}
	return c
}

func (x *fieldIndex) trigger(c fieldCheck, rule int32) {
	for _, id := range c.atoms {
		x.atoms[id].triggers = append(x.atoms[id].triggers, rule)
	}
}

// satisfied reports whether a pair satisfies the atom. Name is the last key and
// value the value, both normalised.
func (a *fieldAtom) satisfied(path []string, value []byte) bool {
	if len(path) < len(a.path) {
		return false
	}
	for i := len(a.path) - 2; i >= 0; i-- {
		if !sameName(path[len(path)-len(a.path)+i], a.path[i]) {
			return false
		}
	}
	if len(a.values) > 0 {
		return a.values[string(value)]
	}
	switch string(value) {
	case "", "null", "none", "false", "undefined":
		return false
	}
	return true
}

// normalName drops case and punctuation, so that camel, snake and kebab case agree.
func normalName(s string) string { return string(appendNormal(nil, s, len(s))) }

// appendNormal appends at most limit normalised bytes of s.
func appendNormal(b []byte, s string, limit int) []byte {
	for i := 0; i < len(s) && len(b) < limit; i++ {
		if c := normalByte[s[i]]; c != 0 {
			b = append(b, c)
		}
	}
	return b
}

func sameName(raw, normal string) bool {
	n := 0
	for i := range len(raw) {
		c := normalByte[raw[i]]
		if c == 0 {
			continue
		}
		if n == len(normal) || normal[n] != c {
			return false
		}
		n++
	}
	return n == len(normal)
}

var normalByte = normalTable()

// normalTable keeps letters and digits, the bytes of other scripts, and a minus
// is dropped with the other punctuation.
func normalTable() (t [256]byte) {
	for c := range 256 {
		switch b := byte(c); {
		case b >= 'A' && b <= 'Z':
			t[c] = b | 0x20
		case b >= 'a' && b <= 'z', b >= '0' && b <= '9', b >= 0x80:
			t[c] = b
		}
	}
	return t
}
