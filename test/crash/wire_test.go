package crash

import (
	"bytes"
	big "encoding/binary"
	"io"
	"net"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// wire stands between a server and PostgreSQL, reads their protocol, and can
// crash the database or cut the connection around one commit.
type wire struct {
	socket   string // of PostgreSQL
	listener net.Listener
	mu       sync.Mutex
	trap     *trap
	conns    map[net.Conn]bool
	open     sync.WaitGroup
}

// trap springs at the first commit of a transaction that ran a statement.
type trap struct {
	statement string // its name in sql/queries
	instant   string // before or after the commit is done, as everybody else sees it
	kill      bool   // the database; else only this connection is cut
	sprung    chan struct{}
}

func startWire(t *testing.T, socket string) *wire {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	w := &wire{socket: socket, listener: listener, conns: map[net.Conn]bool{}}
	w.open.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			w.open.Go(func() { w.serve(conn) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		w.mu.Lock()
		for c := range w.conns {
			_ = c.Close()
		}
		w.mu.Unlock()
		w.open.Wait()
	})
	return w
}

func (w *wire) arm(t *trap) *trap {
	t.sprung = make(chan struct{})
	w.mu.Lock()
	w.trap = t
	w.mu.Unlock()
	return t
}

// spring takes the trap if the transaction is the one it waits for.
func (w *wire) spring(statements string) *trap {
	w.mu.Lock()
	defer w.mu.Unlock()
	t := w.trap
	if t == nil || !strings.Contains(statements, "name: "+t.statement+" ") {
		return nil
	}
	w.trap = nil
	return t
}

// session is one connection.
type session struct {
	wire             *wire
	client, database net.Conn
	prepared         map[string]string
	ran              strings.Builder // what the transaction ran
	mu               sync.Mutex
	backend          int   // process of the database
	withheld         *trap // the next answer is not passed on
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
		if kind, raw, err = message(s.client, true); err == nil && s.commits(kind, raw) {
			if t := s.wire.spring(s.ran.String()); t != nil && !s.atCommit(t, raw) {
				return
			}
		}
	}
}

// commits keeps what the transaction runs and says when it is to be committed.
func (s *session) commits(kind byte, raw []byte) bool {
	words := bytes.Split(raw[5:], []byte{0})
	switch {
	case kind == 'P' && len(words) > 1:
		s.prepared[string(words[0])] = firstLine(words[1])
	case kind == 'B' && len(words) > 1:
		s.ran.WriteString(s.prepared[string(words[1])])
	case kind == 'Q' && bytes.HasPrefix(words[0], []byte("begin")):
		s.ran.Reset()
	case kind == 'Q' && bytes.HasPrefix(words[0], []byte("commit")):
		return true
	}
	return false
}

func firstLine(sql []byte) string {
	line, _, _ := bytes.Cut(sql, []byte("\n"))
	return string(line) + "\n"
}

// atCommit reports whether the commit is to be passed on by the caller.
func (s *session) atCommit(t *trap, raw []byte) bool {
	if t.instant == "after" && t.kill {
		s.mu.Lock()
		s.withheld = t
		s.mu.Unlock()
		return true
	}
	if t.instant == "after" {
		_, _ = s.database.Write(raw) // sent; whether it is done nobody will hear
	}
	s.sprung(t)
	return false
}

func (s *session) sprung(t *trap) {
	s.mu.Lock()
	pid := s.backend
	s.mu.Unlock()
	if t.kill && pid > 0 {
		// One killed process makes PostgreSQL drop everything and recover.
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	s.close()
	close(t.sprung)
}

func (s *session) answers() {
	defer s.close()
	for {
		kind, raw, err := message(s.database, true)
		if err != nil {
			return
		}
		s.mu.Lock()
		if kind == 'K' {
			s.backend = int(big.BigEndian.Uint32(raw[5:9]))
		}
		t := s.withheld
		s.mu.Unlock()
		if t != nil {
			s.sprung(t)
			return
		}
		if _, err := s.client.Write(raw); err != nil {
			return
		}
	}
}
