package web

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

func get(t *testing.T, ui *UI, path string) *http.Response {
	t.Helper()
	recorder := httptest.NewRecorder()
	ui.ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, path, nil))
	return recorder.Result()
}

func read(t *testing.T, response *http.Response) string {
	t.Helper()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return string(text)
}

func built() *UI {
	return NewUI(fstest.MapFS{
		"index.html":       {Data: []byte("the application")},
		"favicon.svg":      {Data: []byte("<svg/>")},
		"assets/app-1.js":  {Data: []byte("code")},
		"assets/.gitkeep":  {Data: []byte("hidden")},
		".vite/manifest":   {Data: []byte("hidden")},
		"assets/sub/a.css": {Data: []byte("style")},
	})
}

func TestTheApplicationRoutesItsOwnPaths(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/ui/": "the application", "/ui/wakeups/w1": "the application", "/ui/login": "the application", "/ui/index.html": "the application",
		"/ui/favicon.svg": "<svg/>", "/ui/assets/app-1.js": "code", "/ui/assets/sub/a.css": "style",
		"/ui/../../etc/passwd": "the application", "/ui/.vite/manifest": "the application", "/ui/assets": "the application",
	} {
		response := get(t, built(), path)
		require.Equal(t, http.StatusOK, response.StatusCode, path)
		require.Equal(t, want, read(t, response), path)
		require.Contains(t, response.Header.Get("Content-Security-Policy"), "default-src 'self'; script-src 'self';", path)
		require.Equal(t, "nosniff", response.Header.Get("X-Content-Type-Options"))
	}
	require.Equal(t, http.StatusNotFound, get(t, built(), "/ui/assets/old-build.js").StatusCode, "no page is taken for a script")
	require.Equal(t, http.StatusNotFound, get(t, built(), "/ui/assets/.gitkeep").StatusCode)
}

func TestOnlyWhatChangesItsNameIsKept(t *testing.T) {
	t.Parallel()
	require.Contains(t, get(t, built(), "/ui/assets/app-1.js").Header.Get("Cache-Control"), "immutable")
	require.Equal(t, "no-cache", get(t, built(), "/ui/").Header.Get("Cache-Control"))
	require.Equal(t, "no-cache", get(t, built(), "/ui/favicon.svg").Header.Get("Cache-Control"))
}

func TestWithoutABuildThereIsACalmPage(t *testing.T) {
	t.Parallel()
	ui := NewUI(fstest.MapFS{".gitkeep": {}})
	for _, path := range []string{"/ui/", "/ui/wakeups", "/ui/.gitkeep"} {
		response := get(t, ui, path)
		require.Equal(t, http.StatusOK, response.StatusCode)
		require.Contains(t, read(t, response), "Recourse is running")
		require.NotContains(t, response.Header.Get("Content-Security-Policy"), "unsafe-inline")
		require.NotContains(t, response.Header.Get("Content-Security-Policy"), "data:")
	}
}

func TestOnlyReading(t *testing.T) {
	t.Parallel()
	recorder := httptest.NewRecorder()
	built().ServeHTTP(recorder, httptest.NewRequest(http.MethodDelete, "/ui/", nil))
	require.Equal(t, http.StatusMethodNotAllowed, recorder.Code)
	require.Equal(t, "GET, HEAD", recorder.Header().Get("Allow"))
}
