// Package web holds the built web UI, so that the server is one file. It is
// empty, but for .gitkeep, until the UI has been built.
package web

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var dist embed.FS

// Dist returns the built UI: index.html and its assets, or nothing of them.
func Dist() fs.FS {
	sub, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // the folder is part of the binary
	}
	return sub
}
