package network

import (
	"bytes"
	"compress/lzw"
	"encoding/binary"
	"hash/crc32"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// packed is a map of msgpack: names, and numbers or texts.
func packed(pairs ...any) string {
	out := []byte{0x80 | byte(len(pairs)/2)}
	text := func(s string) {
		if len(s) < 32 {
			out = append(append(out, 0xa0|byte(len(s))), s...)
			return
		}
		out = append(binary.BigEndian.AppendUint16(append(out, 0xda), uint16(len(s))), s...)
	}
	for _, p := range pairs {
		switch p := p.(type) {
		case int:
			out = append(out, 0xce, 0, 0, byte(p>>8), byte(p))
		case string:
			text(p)
		case bool:
			out = append(out, map[bool]byte{false: 0xc2, true: 0xc3}[p])
		}
	}
	return string(out)
}

func squeezed(message string) string {
	var b bytes.Buffer
	w := lzw.NewWriter(&b, lzw.LSB, 8)
	w.Write([]byte(message))
	w.Close()
	return "\x09" + packed("Algo", 0, "Buf", b.String())
}

func compound(messages ...string) string {
	out := []byte{7, byte(len(messages))}
	for _, m := range messages {
		out = binary.BigEndian.AppendUint16(out, uint16(len(m)))
	}
	return string(out) + strings.Join(messages, "")
}

func withCRC(message string) string {
	return string(binary.BigEndian.AppendUint32([]byte{12}, crc32.ChecksumIEEE([]byte(message)))) + message
}

var (
	ping     = "\x00" + packed("SeqNo", 7, "Node", "n2", "SourcePort", 7946)
	suspect  = "\x03" + packed("Incarnation", 1, "Node", "n3", "From", "n1")
	alive    = "\x04" + packed("Incarnation", 1, "Node", "n3", "Addr", "\x0a\x00\x00\x03", "Port", 7946, "Vsn", "\x01\x05\x02\x00\x00\x00")
	pushPull = "\x06" + packed("Nodes", 2, "UserStateLen", 3, "Join", true) +
		packed("Name", "n1", "Addr", "", "State", 0, "Incarnation", 1) + packed("Name", "n2", "Addr", "", "State", 1, "Incarnation", 2) + "abc"
)

// What members tell each other about who is there is told by type and node.
func TestMemberlist(t *testing.T) {
	for said, want := range map[string]string{
		ping:    "ping n2 7",
		suspect: "suspect n3/1 by n1",
		alive:   "alive n3/1",
		"\x01" + packed("SeqNo", 7, "Target", "1234", "Port", 1, "Node", "n2", "Nack", true): "indirect-ping n2 7",
		"\x02" + packed("SeqNo", 7, "Payload", ""):                                           "ack 7",
		"\x05" + packed("Incarnation", 1, "Node", "n\n3", "From", "n1"):                      `dead "n\n3"/1 by n1`,
		"\x0b" + packed("SeqNo", 7):                                                          "nack 7",
		compound(ping, suspect, "\x08anything", suspect):                                     "ping n2 7, suspect n3/1 by n1, user, suspect n3/1 by n1",
		withCRC(ping):                   "ping n2 7",
		withCRC("\x08anything"):         "user",
		squeezed(compound(ping, alive)): "ping n2 7, alive n3/1",
		withCRC(squeezed(suspect)):      "suspect n3/1 by n1",
		"\xf4\x03abc" + ping:            "ping n2 7",
		compound(strings.Split(strings.Repeat("\x08", 12)+"\x08", "")...):  "",
		compound(strings.Split(strings.Repeat(ping+"|", 11)+ping, "|")...): strings.Repeat("ping n2 7, ", 8) + "and 4 more",
	} {
		if want == "" {
			want = "udp " + Digest([]byte(said))
		} else {
			want = "memberlist " + want
		}
		d := &datagram{bytes: []byte(said)}
		require.Equal(t, want, d.Kind()+" "+d.String())
	}
}

// Datagrams of others, cut ones and hostile ones are told as what nobody knows.
func TestNoMemberlist(t *testing.T) {
	bomb := "\x08"
	for range 4 {
		bomb = squeezed(strings.Repeat(bomb, 3))
	}
	for _, said := range []string{"", "\x00", "hello", "\x08hello", ping[:len(ping)-1], ping + "x", "\x01" + ping[1:], "\x0c1234" + ping,
		compound(ping, "x"), compound(ping) + "x", "\x07\xff", "\x07\x00", "\x07\x01\x00\x00", pushPull, "\xf4\xff", "\x09" + packed("Algo", 1, "Buf", "x"),
		"\x09" + packed("Algo", 0, "Buf", "xxxx"), "\x00\x8f", "\x00\x81\x9f\x9f\x9f\x9f\x9f\x9f\x9f\x9f\x9f\x9f", "\x00\x82\xc6\xff\xff\xff\xff", "\x00\xc1", bomb,
		withCRC(withCRC(withCRC(withCRC(withCRC(withCRC(ping)))))), squeezed(strings.Repeat("\x08", 2<<20))} {
		d := &datagram{bytes: []byte(said)}
		require.Equal(t, "udp "+Digest([]byte(said)), d.Kind()+" "+d.String())
	}
	d := &datagram{bytes: []byte(ping), text: func([]byte) string { return "mine" }}
	require.Equal(t, "udp mine", d.Kind()+" "+d.String(), "the user says what it is")
}

// On connections members compare all that they know.
func TestMemberlistOnConnections(t *testing.T) {
	c := begin(nil)
	require.Equal(t, "memberlist push-pull join n1/1 alive, n2/2 suspect", c.say(0, pushPull))
	require.Equal(t, "memberlist push-pull", c.say(1, squeezed("\x06"+packed("Nodes", 0, "UserStateLen", 0, "Join", false))))

	c = begin(nil)
	for i := range len(pushPull) {
		b := pushPull[i : i+1]
		want := "tcp " + Digest([]byte(b))
		if i == len(pushPull)-1 {
			want = "memberlist push-pull join n1/1 alive, n2/2 suspect"
		}
		require.Equal(t, want, c.say(0, b))
	}
	for said, want := range map[string]string{
		ping:                                    "memberlist ping n2 7",
		"\xf4\x03abc" + ping:                    "memberlist ping n2 7",
		"\x08" + packed("UserMsgLen", 2) + "ab": "memberlist user",
		"\x0d" + packed("Error", "no"):          "memberlist error no",
		"\x08" + packed("SeqNo", 2) + "ab":      "",
		"\x06" + packed("Nodes", 9999, "UserStateLen", 3, "Join", true):                   "",
		"\x06" + packed("Nodes", 1, "UserStateLen", 3, "Join", true) + packed("SeqNo", 7): "",
		"\x00GET": "",
	} {
		if want == "" {
			want = "tcp " + Digest([]byte(said))
		}
		require.Equal(t, want, begin(nil).say(0, said))
	}
}

// No datagram breaks it.
func FuzzDatagram(f *testing.F) {
	for _, said := range []string{ping, alive, compound(ping, suspect), squeezed(ping), withCRC(ping), "\xf4\x03abc" + ping, pushPull} {
		f.Add([]byte(said))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		d := &datagram{bytes: b}
		require.Less(t, len(d.String()), 4000)
		require.Contains(t, []string{"udp", "memberlist"}, d.Kind())
	})
}
