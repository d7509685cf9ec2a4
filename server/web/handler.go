// Package web serves the browser's side: the built UI under /ui/, the exchange
// of a login code for a session cookie, and a calm page where no UI was built.
package web

import (
	"bytes"
	_ "embed"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/recourse-dev/recourse/server/interceptor"
	"github.com/recourse-dev/recourse/server/rpc/rpcerror"
)

//go:embed fallback.html
var fallback []byte

// policy lets the UI load only what this server sends, and nothing inline.
const policy = "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; " +
	"object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// UI serves a built single-page application under /ui/.
type UI struct {
	files fs.FS
	index []byte // nil when no UI was built
}

// NewUI serves the files of a build; one without index.html gets a page that says so.
func NewUI(files fs.FS) *UI {
	index, err := fs.ReadFile(files, "index.html")
	if err != nil {
		index = nil
	}
	return &UI{files: files, index: index}
}

// ServeHTTP implements http.Handler.
func (u *UI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		rpcerror.WriteREST(w, interceptor.MethodNotAllowed(r.Method))
		return
	}
	secure(w.Header())
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/ui/")
	if u.serveFile(w, r, name) {
		return
	}
	if strings.HasPrefix(name, "assets/") {
		rpcerror.WriteREST(w, interceptor.RouteNotFound(r.URL.Path))
		return
	}
	// Any other path is the application's own to route.
	w.Header().Set("Cache-Control", "no-cache")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	page := u.index
	if page == nil {
		page = fallback
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(page))
}

// serveFile serves a file of the build, unless its path is hidden; the names of
// assets change with their content.
func (u *UI) serveFile(w http.ResponseWriter, r *http.Request, name string) bool {
	if u.index == nil || name == "index.html" || strings.Contains("/"+name, "/.") || !fs.ValidPath(name) {
		return false
	}
	info, err := fs.Stat(u.files, name)
	if err != nil || info.IsDir() {
		return false
	}
	if strings.HasPrefix(name, "assets/") {
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	} else {
		w.Header().Set("Cache-Control", "no-cache")
	}
	http.ServeFileFS(w, r, u.files, name)
	return true
}

func secure(header http.Header) {
	header.Set("Content-Security-Policy", policy)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("X-Frame-Options", "DENY")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
}
