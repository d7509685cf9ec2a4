package gateway

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// route is one REST path of the contract.
type route struct {
	method   string
	segments []string // "{}" matches any one segment
	verb     string   // after the colon, "" for none
	body     bool
	input    protoreflect.MessageDescriptor
}

// routes are all REST paths, read from the contract's own annotations.
type routes []route

func readRoutes(files ...protoreflect.FileDescriptor) routes {
	var out routes
	for _, file := range files {
		for i := range file.Services().Len() {
			methods := file.Services().Get(i).Methods()
			for j := range methods.Len() {
				out = append(out, routesOf(methods.Get(j))...)
			}
		}
	}
	return out
}

func routesOf(method protoreflect.MethodDescriptor) []route {
	rule, ok := proto.GetExtension(method.Options(), annotations.E_Http).(*annotations.HttpRule)
	if !ok || rule == nil {
		return nil
	}
	var out []route
	for _, binding := range append([]*annotations.HttpRule{rule}, rule.GetAdditionalBindings()...) {
		if name, template := methodAndTemplate(binding); name != "" {
			segments, verb := parseTemplate(template)
			out = append(out, route{method: name, segments: segments, verb: verb, body: binding.GetBody() != "", input: method.Input()})
		}
	}
	return out
}

func methodAndTemplate(rule *annotations.HttpRule) (method, template string) {
	switch pattern := rule.GetPattern().(type) {
	case *annotations.HttpRule_Get:
		return http.MethodGet, pattern.Get
	case *annotations.HttpRule_Post:
		return http.MethodPost, pattern.Post
	case *annotations.HttpRule_Put:
		return http.MethodPut, pattern.Put
	case *annotations.HttpRule_Patch:
		return http.MethodPatch, pattern.Patch
	case *annotations.HttpRule_Delete:
		return http.MethodDelete, pattern.Delete
	}
	return "", ""
}

func parseTemplate(template string) (segments []string, verb string) {
	template, verb, _ = strings.Cut(template, ":")
	for segment := range strings.SplitSeq(strings.TrimPrefix(template, "/"), "/") {
		if strings.HasPrefix(segment, "{") {
			segment = "{}"
		}
		segments = append(segments, segment)
	}
	return segments, verb
}

func (r route) matches(path []string, last, verb string) bool {
	if len(path) != len(r.segments) || (r.verb != "" && r.verb != verb) {
		return false
	}
	for i, segment := range r.segments {
		got := path[i]
		if i == len(path)-1 && r.verb != "" {
			got = last
		}
		if got == "" || (segment != "{}" && segment != got) {
			return false
		}
	}
	return true
}

// find returns the route of a request, and which methods its path has.
func (rs routes) find(method, path string) (found route, ok bool, allowed []string) {
	segments := strings.Split(strings.TrimPrefix(path, "/"), "/")
	last := segments[len(segments)-1]
	verb := ""
	if i := strings.LastIndexByte(last, ':'); i > 0 {
		last, verb = last[:i], last[i+1:]
	}
	for _, r := range rs {
		if !r.matches(segments, last, verb) {
			continue
		}
		allowed = append(allowed, r.method)
		// Of two, the one with a verb is the more exact.
		if r.method == method && (!ok || r.verb != "") {
			found, ok = r, true
		}
	}
	slices.Sort(allowed)
	return found, ok, slices.Compact(allowed)
}

// unknownParameter returns a query parameter that the request does not have.
// A route with a body has none, because the body is the whole request.
func (r route) unknownParameter(query url.Values) string {
	for key := range query {
		if r.body || !hasField(r.input, strings.Split(key, ".")) {
			return key
		}
	}
	return ""
}

func hasField(message protoreflect.MessageDescriptor, path []string) bool {
	for i, name := range path {
		field := message.Fields().ByJSONName(name)
		if field == nil {
			field = message.Fields().ByName(protoreflect.Name(name))
		}
		if field == nil {
			return false
		}
		if i == len(path)-1 {
			return true
		}
		if message = field.Message(); message == nil {
			return false
		}
	}
	return false
}
