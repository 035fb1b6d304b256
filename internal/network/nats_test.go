package network

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A client of NATS, its server and another server are told by the verbs and the subjects
// of what they say.
func TestNATS(t *testing.T) {
	type line struct {
		end        int
		said, want string
	}
	greeting := line{1, "INFO {\"server_id\":\"n1\",\"cluster\":\"c\"}\r\n", "nats INFO"}
	for name, lines := range map[string][]line{
		"a client": {
			greeting,
			{0, "CONNECT {\"verbose\":false}\r\nPING\r\n", "nats CONNECT"},
			{1, "PONG\r\n", "nats PONG"},
			{0, "SUB _INBOX.a.* 1\r\nPUB orders _INBOX.a.1 5\r\nhello\r\n", "nats PUB orders: hello"},
			{0, "SUB x q 2\r\nUNSUB 1\r\n", "nats SUB x, UNSUB"},
			{0, "HPUB orders 12 14\r\nNATS/1.0\r\n\r\nab\r\n", "nats HPUB orders"},
			{1, "MSG _INBOX.a.1 1 2\r\n17\r\nHMSG x 2 12 12\r\nNATS/1.0\r\n\r\n\r\n", "nats MSG _INBOX.a.1: 17, HMSG x"},
			{1, "-ERR 'Unknown Protocol Operation'\r\n", "nats -ERR 'Unknown Protocol Operation'"},
			{0, "PUB long 9\r\n1234", "nats PUB long: 1234"},
			{0, "56789\r\nPING\r\n", "nats more of PUB long, 7 bytes"},
			{0, "PI", "tcp " + Digest([]byte("PI"))},
			{0, "NG\r\n", "nats PING"},
		},
		"one that is told each time": {
			{1, "INFO {}\r\n", "nats INFO"},
			{0, "CONNECT {\"verbose\":true}\r\n", "nats CONNECT"},
			{1, "+OK\r\n", "nats +OK"},
		},
		"two servers": {
			greeting,
			{0, "CONNECT {\"cluster\":\"c\"}\r\nINFO {}\r\n", "nats CONNECT, INFO"},
			{1, "RS+ $G orders\r\nRS- $G orders q 1\r\nLS+ x\r\nA+ A\r\n", "nats RS+ orders, RS- orders, LS+ x, A+ A"},
			{1, "RS+ $G orders\r\nRMSG $G $NRG.AE.x $NRG.R.y 3\r\n\x00\x01\x02\r\n", "nats RMSG $NRG.AE.x"},
			{0, "RMSG $G orders | a b 2\r\nab\r\nHMSG $G orders 12 12\r\nNATS/1.0\r\n\r\n\r\n", "nats RMSG orders: ab, HMSG orders"},
		},
		"two servers, about one account": {
			greeting,
			{0, "CONNECT {}\r\nINFO {\"route_account\":\"$SYS\"}\r\n", "nats CONNECT, INFO"},
			{1, "RMSG $SYS.REQ.x 2\r\n{}\r\n", "nats RMSG $SYS.REQ.x: {}"},
			{0, "HMSG x 12 12\r\nNATS/1.0\r\n\r\n\r\nRS+ y\r\n", "nats HMSG x"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := begin(nil)
			for _, l := range lines {
				require.Equal(t, l.want, c.say(l.end, l.said))
			}
		})
	}
}

// What only begins like it is told as what nobody knows, and so is what follows.
func TestNoNATS(t *testing.T) {
	for _, said := range []string{"INFO x\r\n", "INFO", "HELLO\r\n"} {
		require.Equal(t, "tcp "+Digest([]byte(said)), begin(nil).say(1, said))
	}
	for _, said := range []string{"PUB\r\n", "PUB x\r\n", "PUB x -1\r\n", "PUB x 99999999999\r\n", "\r\n", "GET / HTTP/1.1\r\n\r\n", "info {}\r\n", "MSG 3 4\r\n"} {
		c := begin(nil)
		c.say(1, "INFO {}\r\n")
		require.Equal(t, "tcp "+Digest([]byte(said)), c.say(0, said))
		require.Equal(t, "tcp "+Digest([]byte("PING\r\n")), c.say(0, "PING\r\n"))
	}
	require.Equal(t, "http CONNECT n1:80", begin(nil).say(0, "CONNECT n1:80 HTTP/1.1\r\n\r\n"), "the method of a proxy")
}
