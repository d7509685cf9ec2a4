// Package zone is the one zone database that wall-clock hints are read with. It
// is embedded, so that the host's own database, which differs from machine to
// machine, never decides when a wait ends.
package zone

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// The IANA time zone database (public domain), release 2025c, in the form in
// which Go ships it.
//
//go:embed zoneinfo.zip
var archive []byte

// Release is the IANA release of the database.
const Release = "2025c"

// Digest identifies the database's bytes.
func Digest() string {
	sum := sha256.Sum256(archive)
	return hex.EncodeToString(sum[:])
}

var (
	index  = sync.OnceValues(readIndex)
	loaded sync.Map // lower-case name → *time.Location
)

func readIndex() (map[string]*zip.File, error) {
	r, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return nil, fmt.Errorf("zone database: %w", err)
	}
	files := make(map[string]*zip.File, len(r.File))
	for _, f := range r.File {
		files[strings.ToLower(f.Name)] = f
	}
	return files, nil
}

// Find gives a zone by its IANA name in any case.
func Find(name string) (*time.Location, error) {
	key := strings.ToLower(name)
	if loc, ok := loaded.Load(key); ok {
		return loc.(*time.Location), nil
	}
	files, err := index()
	if err != nil {
		return nil, err
	}
	f, ok := files[key]
	if !ok || f.FileInfo().IsDir() {
		return nil, fmt.Errorf("unknown time zone %q", name)
	}
	loc, err := read(f)
	if err != nil {
		return nil, err
	}
	loaded.Store(key, loc)
	return loc, nil
}

func read(f *zip.File) (*time.Location, error) {
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("time zone %s: %w", f.Name, err)
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("time zone %s: %w", f.Name, err)
	}
	return time.LoadLocationFromTZData(f.Name, data)
}
