package cli

import (
	"os"
	"strings"
	"time"
)

// HostZone is the IANA name of this host's time zone, "" if it has none that
// is known: then a clock time without a zone becomes no instant.
func HostZone(tz string) string {
	if name := strings.TrimPrefix(tz, ":"); name != "" {
		return zoneName(name)
	}
	if target, err := os.Readlink("/etc/localtime"); err == nil {
		if _, name, found := strings.Cut(target, "zoneinfo/"); found {
			return zoneName(name)
		}
	}
	if text, err := os.ReadFile("/etc/timezone"); err == nil {
		return zoneName(strings.TrimSpace(string(text)))
	}
	if _, err := os.Stat("/etc/localtime"); os.IsNotExist(err) {
		return "UTC" // what the C library and Go take for the local zone then
	}
	return ""
}

func zoneName(name string) string {
	if name == "" || name == "Local" || strings.HasPrefix(name, "/") {
		return ""
	}
	if _, err := time.LoadLocation(name); err != nil {
		return ""
	}
	return name
}
