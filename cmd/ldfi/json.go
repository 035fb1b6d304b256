package main

import (
	"encoding/json"
	"io"
)

// writeJSON writes a result as indented JSON.
func writeJSON(w io.Writer, result any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(result)
}
