package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

type client struct {
	t   *testing.T
	url string
}

func serve(t *testing.T, s *store) client {
	t.Helper()
	server := httptest.NewServer(s.handler())
	t.Cleanup(server.Close)
	return client{t, server.URL}
}

func (c client) does(method, path, body string) (int, string, http.Header) {
	c.t.Helper()
	r, err := http.NewRequest(method, c.url+path, strings.NewReader(body))
	require.NoError(c.t, err)
	answer, err := http.DefaultClient.Do(r)
	require.NoError(c.t, err)
	defer answer.Body.Close()
	said, err := io.ReadAll(answer.Body)
	require.NoError(c.t, err)
	return answer.StatusCode, strings.TrimSpace(string(said)), answer.Header
}

const leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases"

// Of two that replace the same version of a lease one is refused, also after a restart.
func TestLeaseOfKubernetes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "store")
	s := newStore(time.Second)
	require.NoError(t, s.open(file))
	c := serve(t, s)
	code, said, _ := c.does("GET", leases+"/leader", "")
	require.Equal(t, 404, code)
	require.Contains(t, said, `"reason":"NotFound"`)
	const of = `{"metadata":{"name":"leader","resourceVersion":"%s","labels":{"a":"b"}},"spec":{"holderIdentity":"%s","leaseDurationSeconds":15}}`
	code, said, _ = c.does("POST", leases, fmt.Sprintf(of, "", "a"))
	require.Equal(t, 201, code)
	require.Contains(t, said, `"labels":{"a":"b"}`)
	code, said, _ = c.does("POST", leases, fmt.Sprintf(of, "", "b"))
	require.Equal(t, 409, code)
	require.Contains(t, said, `"reason":"AlreadyExists"`)
	code, _, _ = c.does("PUT", leases+"/leader", fmt.Sprintf(of, "1", "b"))
	require.Equal(t, 200, code)

	again := newStore(time.Second)
	require.NoError(t, again.open(file))
	c = serve(t, again)
	code, said, _ = c.does("PUT", leases+"/leader", fmt.Sprintf(of, "1", "a"))
	require.Equal(t, 409, code)
	require.Contains(t, said, `"reason":"Conflict"`)
	_, said, _ = c.does("GET", leases+"/leader", "")
	require.Contains(t, said, `"holderIdentity":"b"`)
	require.Contains(t, said, `"resourceVersion":"2"`)
	code, _, _ = c.does("DELETE", leases+"/leader", "")
	require.Equal(t, 200, code)
	for _, body := range []string{"", "{", "[]", `{"metadata":{}}`, `{"metadata":{"name":7}}`} {
		code, said, _ = c.does("POST", leases, body)
		require.GreaterOrEqual(t, code, 400, said)
	}
	code, _, _ = c.does("GET", leases, "")
	require.Equal(t, 405, code)
}

func (c client) session(ttl string) string {
	c.t.Helper()
	code, said, _ := c.does("PUT", "/v1/session/create", `{"TTL":"`+ttl+`","LockDelay":"0s"}`)
	require.Equal(c.t, 200, code, said)
	var answer struct{ ID string }
	require.NoError(c.t, json.Unmarshal([]byte(said), &answer))
	return answer.ID
}

// A key belongs to one session until that ends or releases it, which who waits for it hears.
func TestLockOfConsul(t *testing.T) {
	s := newStore(50 * time.Millisecond)
	go s.expire()
	c := serve(t, s)
	a, b := c.session("50ms"), c.session("10s")
	says := func(want, method, path string) {
		t.Helper()
		_, said, _ := c.does(method, path, "v")
		require.Equal(t, want, said)
	}
	says("true", "PUT", "/v1/kv/lock?acquire="+a+"&flags=7")
	says("false", "PUT", "/v1/kv/lock?acquire="+b)
	says("false", "PUT", "/v1/kv/lock?release="+b)
	_, said, header := c.does("GET", "/v1/kv/lock?consistent", "")
	require.Contains(t, said, `"Flags":7,"Value":"dg==","Session":"`+a)
	code, said, _ := c.does("GET", "/v1/kv/lock?index="+header.Get("X-Consul-Index")+"&wait=10s", "") // until a ends
	require.Equal(t, 200, code)
	require.NotContains(t, said, "Session")
	code, _, _ = c.does("PUT", "/v1/session/renew/"+a, "")
	require.Equal(t, 404, code)
	says("true", "PUT", "/v1/kv/lock?acquire="+b)
	says("true", "PUT", "/v1/kv/lock?release="+b)
	says("true", "PUT", "/v1/session/destroy/"+b)
	code, _, _ = c.does("PUT", "/v1/kv/lock?acquire="+b, "")
	require.Equal(t, 500, code)
	code, said, _ = c.does("PUT", "/v1/session/create", `{"TTL":"1ms"}`)
	require.Equal(t, 400, code, said)
	code, said, _ = c.does("GET", "/v1/kv/lock?recurse", "")
	require.Equal(t, 400, code, said)
	begin := time.Now()
	_, _, header = c.does("GET", "/v1/kv/lock", "")
	_, _, _ = c.does("GET", "/v1/kv/lock?wait=50ms&index="+header.Get("X-Consul-Index"), "")
	require.GreaterOrEqual(t, time.Since(begin), 50*time.Millisecond)
}
