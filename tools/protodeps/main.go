// Command protodeps prints the third-party .proto files that the contract
// imports from the descriptors that the product links, so that the vendored
// copies cannot drift from the runtime. Comments are lost on the way.
//
// Usage: protodeps DIR
package main

import (
	"log"
	"os"
	"path/filepath"

	_ "buf.build/gen/go/bufbuild/protovalidate/protocolbuffers/go/buf/validate"
	_ "github.com/grpc-ecosystem/grpc-gateway/v2/protoc-gen-openapiv2/options"
	"github.com/jhump/protoreflect/v2/protoprint"
	_ "google.golang.org/genproto/googleapis/api/annotations"
	_ "google.golang.org/genproto/googleapis/rpc/errdetails"
	_ "google.golang.org/genproto/googleapis/rpc/status"
	_ "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/protobuf/reflect/protoregistry"
)

var files = []string{
	"buf/validate/validate.proto",
	"google/api/annotations.proto",
	"google/api/http.proto",
	"google/rpc/error_details.proto",
	"google/rpc/status.proto",
	"grpc/health/v1/health.proto",
	"protoc-gen-openapiv2/options/annotations.proto",
	"protoc-gen-openapiv2/options/openapiv2.proto",
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: protodeps DIR")
	}
	for _, name := range files {
		if err := write(os.Args[1], name); err != nil {
			log.Fatalf("%s: %v", name, err)
		}
	}
}

func write(dir, name string) error {
	fd, err := protoregistry.GlobalFiles.FindFileByPath(name)
	if err != nil {
		return err
	}
	text, err := (&protoprint.Printer{}).PrintProtoToString(fd)
	if err != nil {
		return err
	}
	target := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return err
	}
	return os.WriteFile(target, []byte(text), 0o644)
}
