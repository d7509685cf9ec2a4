package fleet

import (
	"bytes"
	big "encoding/binary"
	"io"
	"net"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// wire stands between one replica and PostgreSQL and reads their protocol, so
// that somebody can die exactly before or after a commit.
type wire struct {
	replica  int
	socket   string // of PostgreSQL
	listener net.Listener
	watch    *watch
	open     sync.WaitGroup
	mu       sync.Mutex
	conns    map[net.Conn]bool
}

func startWire(t *testing.T, replica int, socket string, w *watch) *wire {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	out := &wire{replica: replica, socket: socket, listener: listener, watch: w, conns: map[net.Conn]bool{}}
	out.open.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			out.open.Go(func() { out.serve(conn) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		out.mu.Lock()
		for c := range out.conns {
			_ = c.Close()
		}
		out.mu.Unlock()
		out.open.Wait()
	})
	return out
}

// session is one connection.
type session struct {
	wire             *wire
	client, database net.Conn
	prepared         map[string]string // statement → query
	done             []step            // by the transaction
	mu               sync.Mutex
	committing       *strike // hits when the commit is answered
	committed        []step
}

func (w *wire) serve(client net.Conn) {
	database, err := net.Dial("unix", w.socket)
	if err != nil {
		_ = client.Close()
		return
	}
	s := &session{wire: w, client: client, database: database, prepared: map[string]string{}}
	w.mu.Lock()
	w.conns[client], w.conns[database] = true, true
	w.mu.Unlock()
	w.open.Go(s.answers)
	s.questions()
	s.close()
	w.mu.Lock()
	delete(w.conns, client)
	delete(w.conns, database)
	w.mu.Unlock()
}

func (s *session) close() { _ = s.client.Close(); _ = s.database.Close() }

// message reads one; the first of a client has no type.
func message(r io.Reader, typed bool) (kind byte, raw []byte, err error) {
	head := make([]byte, 4)
	if typed {
		head = make([]byte, 5)
	}
	if _, err := io.ReadFull(r, head); err != nil {
		return 0, nil, err
	}
	length := big.BigEndian.Uint32(head[len(head)-4:])
	raw = make([]byte, len(head)+int(length)-4)
	copy(raw, head)
	_, err = io.ReadFull(r, raw[len(head):])
	return head[0], raw, err
}

func (s *session) questions() {
	_, raw, err := message(s.client, false)
	for err == nil {
		if _, err = s.database.Write(raw); err != nil {
			return
		}
		var kind byte
		kind, raw, err = message(s.client, true)
		if err == nil && s.commits(kind, raw) && !s.atCommit() {
			return
		}
	}
}

// commits keeps what the transaction does and says when it is to be committed.
func (s *session) commits(kind byte, raw []byte) bool {
	switch kind {
	case 'P':
		words := bytes.SplitN(raw[5:], []byte{0}, 3)
		s.prepared[string(words[0])] = queryName(words[1])
	case 'B':
		statement, values := bound(raw[5:])
		if st, ok := stepOf(s.prepared[statement], values); ok {
			s.done = append(s.done, st)
		}
	case 'Q':
		if bytes.HasPrefix(raw[5:], []byte("begin")) {
			s.done = nil
		}
		return bytes.HasPrefix(raw[5:], []byte("commit"))
	}
	return false
}

// atCommit reports whether the commit is to be passed on.
func (s *session) atCommit() bool {
	hit, when := s.wire.watch.spring(s.wire.replica, s.done)
	if when == before {
		hit.hit()
		if hit.victim == aServer {
			return false
		}
		hit = nil
	}
	s.mu.Lock()
	s.committing, s.committed = hit, s.done
	s.mu.Unlock()
	return true
}

func (s *session) answers() {
	defer s.close()
	for {
		kind, raw, err := message(s.database, true)
		if err != nil {
			return
		}
		s.mu.Lock()
		hit, committed := s.committing, s.committed
		s.committing, s.committed = nil, nil
		s.mu.Unlock()
		if kind == 'C' {
			s.wire.watch.done(committed)
		}
		if hit != nil {
			hit.hit()
			if hit.victim == aServer {
				return
			}
		}
		if _, err := s.client.Write(raw); err != nil {
			return
		}
	}
}

// queryName is what the first line of a query calls it.
func queryName(sql []byte) string {
	line, _, _ := bytes.Cut(bytes.TrimPrefix(sql, []byte("-- name: ")), []byte("\n"))
	name, _, _ := bytes.Cut(line, []byte(" "))
	return string(name)
}

// bound reads a Bind message: the statement and its arguments.
func bound(body []byte) (statement string, values [][]byte) {
	words := bytes.SplitN(body, []byte{0}, 3)
	rest := words[2]
	number := func() int { n := int(big.BigEndian.Uint16(rest)); rest = rest[2:]; return n }
	formats := number()
	rest = rest[2*formats:]
	for range number() {
		length := int32(big.BigEndian.Uint32(rest))
		rest = rest[4:]
		if length < 0 {
			values = append(values, nil)
			continue
		}
		values = append(values, rest[:length])
		rest = rest[length:]
	}
	return string(words[1]), values
}
