// Package gen holds what is generated from the contract; this file hands the
// API's description to the server.
package gen

import _ "embed"

// OpenAPI is the description of the REST API, as JSON.
//
//go:embed openapi/recourse.swagger.json
var OpenAPI []byte
