// Package gateway asks etcd by the JSON of its gRPC gateway.
package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
)

// Ask asks a server for a path, as in /v3/kv/range. The answer is JSON, to be closed by who asks:
// one value, or those of a watch until ctx ends.
func Ask(ctx context.Context, server, path string, request map[string]any) (answer io.ReadCloser, err error) {
	body, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	post, err := http.NewRequestWithContext(ctx, "POST", "http://"+server+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(post)
	if err != nil {
		return nil, err
	} else if response.StatusCode != http.StatusOK {
		response.Body.Close()
		return nil, errors.New(response.Status)
	}
	return response.Body, nil
}
