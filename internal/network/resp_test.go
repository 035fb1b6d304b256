package network

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Commands and replies of Redis are told as people write them.
func TestRESP(t *testing.T) {
	c := begin(nil)
	for _, line := range []struct {
		end        int
		said, want string
	}{
		{0, "*3\r\n$3\r\nSET\r\n$1\r\nx\r\n$2\r\n17\r\n", "resp SET x 17"},
		{1, "+OK\r\n", "resp OK"},
		{0, "*2\r\n$3\r\nGET\r\n$1\r\nx\r\n*2\r\n$3\r\nGET\r\n$1\r\ny\r\n", "resp GET x, GET y"},
		{1, "$2\r\n17\r\n$-1\r\n", "resp 17, nil"},
		{0, "*2\r\n$4\r\nINCR\r\n$1\r\nx\r\n", "resp INCR x"},
		{1, ":18\r\n", "resp 18"},
		{0, "*1\r\n$0\r\n\r\n", `resp ""`},
		{1, "-ERR unknown command\r\n", "resp -ERR unknown command"},
		{0, "*2\r\n$4\r\nECHO\r\n$4\r\na\r\nb\r\n", `resp ECHO "a\r\nb"`},
		{1, "*3\r\n$1\r\na\r\n*-1\r\n*1\r\n:2\r\n", "resp [a, nil, [2]]"},
		{0, "*2\r\n$3\r\nGET\r\n$1", "tcp " + Digest([]byte("*2\r\n$3\r\nGET\r\n$1"))},
		{0, "\r\nx\r\n", "resp GET x"},
		{1, "%1\r\n$1\r\nk\r\n_\r\n", "resp [k, nil]"},
	} {
		require.Equal(t, line.want, c.say(line.end, line.said))
	}
}

// What only begins like it is told as what nobody knows, and so is what follows.
func TestNoRESP(t *testing.T) {
	for _, said := range []string{"*x", "*1\r\n+OK\r\n", "*", "*12", "*2\r\n$3\r\nGET\r\n!", "*1\r\n$1\r\nxyz", "*9999\r\n$1\r\nx\r\n", "*1\r\n$-5\r\n",
		"*1\r\n$1\r\n" + strings.Repeat("x", 10)} {
		require.Equal(t, "tcp "+Digest([]byte(said)), begin(nil).say(0, said))
	}
	c := begin(nil)
	require.Equal(t, "tcp "+Digest([]byte("*x")), c.say(0, "*x"))
	require.Equal(t, "tcp "+Digest([]byte("+OK\r\n")), c.say(1, "+OK\r\n"), "nobody has spoken it")
	deep := strings.Repeat("*1\r\n", 100) + ":1\r\n"
	c = begin(nil)
	c.say(0, "*1\r\n$4\r\nPING\r\n")
	require.Equal(t, "tcp "+Digest([]byte(deep)), c.say(1, deep))
}
