package scan

import "slices"

// Automaton finds every occurrence of a set of literals in one pass. States near
// the root, where almost all time is spent, have a full row of transitions; the
// others keep their few edges and a failure link, so that thousands of literals
// cost neither memory nor time. Bytes are first mapped to the classes that occur
// in the literals, which keeps the rows short; a newline counts as a blank.
//
// It is written here and not taken from a library because the class map gives
// the blank-equals-newline rule for nothing, and because construction must be
// cheap enough for a command that classifies one text and exits.
type Automaton struct {
	class  [256]uint8
	width  int32   // number of classes; class 0 stands for every byte no literal has
	rows   []int32 // dense transitions of states below len(rows)/width
	dense  int32
	first  []int32 // edges of state s: edge[first[s]:first[s+1]]
	edge   []edge
	fail   []int32
	out    []int32 // a literal that ends in state s, or -1
	link   []int32 // the next state on the failure path with an output, or 0
	lens   []int32
	widest int
}

type edge struct {
	class uint8
	to    int32
}

// Hit is one occurrence of a literal.
type Hit struct {
	Literal int32
	End     int32 // offset behind its last byte
}

// maxDense bounds the states with a full row.
const maxDense = 2048

// NewAutomaton compiles folded, distinct, non-empty literals; their indexes name them in hits.
func NewAutomaton(literals []string) *Automaton {
	a := &Automaton{width: 1}
	for _, lit := range literals {
		for i := range len(lit) {
			if a.class[lit[i]] == 0 {
				a.class[lit[i]] = uint8(a.width)
				a.width++
			}
		}
		a.lens = append(a.lens, int32(len(lit)))
		a.widest = max(a.widest, len(lit))
	}
	if a.class[' '] != 0 {
		a.class['\n'] = a.class[' ']
	}
	a.build(newTrie(a, literals))
	return a
}

// Len is the length in bytes of a literal.
func (a *Automaton) Len(literal int32) int { return int(a.lens[literal]) }

type trieNode struct {
	edges []edge
	out   int32
}

func newTrie(a *Automaton, literals []string) []trieNode {
	nodes := []trieNode{{out: -1}}
	for id, lit := range literals {
		s := int32(0)
		for i := range len(lit) {
			c := a.class[lit[i]]
			next := child(nodes[s].edges, c)
			if next < 0 {
				next = int32(len(nodes))
				nodes = append(nodes, trieNode{out: -1})
				nodes[s].edges = append(nodes[s].edges, edge{c, next})
			}
			s = next
		}
		nodes[s].out = int32(id)
	}
	return nodes
}

func child(edges []edge, c uint8) int32 {
	for _, e := range edges {
		if e.class == c {
			return e.to
		}
	}
	return -1
}

// build renumbers the trie in breadth-first order, so that the dense states come
// first, and adds failure links, output links and rows.
func (a *Automaton) build(nodes []trieNode) {
	order, renamed := breadthFirst(nodes)
	n := int32(len(order))
	a.fail, a.link = make([]int32, n), make([]int32, n)
	a.out, a.first = make([]int32, n), make([]int32, n+1)
	for s, old := range order {
		a.out[s] = nodes[old].out
		a.first[s] = int32(len(a.edge))
		for _, e := range nodes[old].edges {
			a.edge = append(a.edge, edge{e.class, renamed[e.to]})
		}
	}
	a.first[n] = int32(len(a.edge))
	a.dense = min(n, maxDense)
	a.rows = make([]int32, a.dense*a.width)
	for s := range n {
		a.finish(s)
	}
}

// finish completes state s; every state above it is complete already.
func (a *Automaton) finish(s int32) {
	if f := a.fail[s]; s != 0 {
		a.link[s] = a.link[f]
		if a.out[f] >= 0 {
			a.link[s] = f
		}
	}
	if s < a.dense && s != 0 {
		copy(a.rows[s*a.width:(s+1)*a.width], a.rows[a.fail[s]*a.width:])
	}
	for _, e := range a.edge[a.first[s]:a.first[s+1]] {
		if s != 0 {
			a.fail[e.to] = a.step(a.fail[s], e.class)
		}
		if s < a.dense {
			a.rows[s*a.width+int32(e.class)] = e.to
		}
	}
}

func (a *Automaton) step(s int32, c uint8) int32 {
	for s >= a.dense {
		if to := child(a.edge[a.first[s]:a.first[s+1]], c); to >= 0 {
			return to
		}
		s = a.fail[s]
	}
	return a.rows[s*a.width+int32(c)]
}

func breadthFirst(nodes []trieNode) (order, renamed []int32) {
	order, renamed = append(make([]int32, 0, len(nodes)), 0), make([]int32, len(nodes))
	for i := 0; i < len(order); i++ {
		edges := nodes[order[i]].edges
		slices.SortFunc(edges, func(x, y edge) int { return int(x.class) - int(y.class) })
		for _, e := range edges {
			renamed[e.to] = int32(len(order))
			order = append(order, e.to)
		}
	}
	return order, renamed
}

// Find calls hit for every occurrence in text, ordered by end; it stops when hit
// returns false. Hostile texts can hold a hit per byte, so callers bound them.
func (a *Automaton) Find(text []byte, hit func(Hit) bool) {
	s := int32(0)
	for i, b := range text {
		s = a.step(s, a.class[b])
		if a.out[s] < 0 && a.link[s] == 0 {
			continue
		}
		for t := s; t != 0; t = a.link[t] {
			if id := a.out[t]; id >= 0 && !hit(Hit{id, int32(i + 1)}) {
				return
			}
		}
	}
}
