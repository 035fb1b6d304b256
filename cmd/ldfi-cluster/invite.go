package main

import (
	"fmt"
	"net"
	"os"
	"strconv"

	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/broker"
)

// invite prints what to type on other machines.
func (s streams) invite(server *broker.Server, flags serveFlags) {
	url := flags.url(server.Address())
	key, env := "", ""
	if flags.nkey != "" {
		key, env = " --nkey "+flags.nkey, "LDFI_NKEY="+flags.nkey+" "
	}
	fmt.Fprintf(s.out, "the server is at %s\n", url)
	if flags.nkey != "" {
		fmt.Fprintf(s.out, "copy the key to each machine:   %s\n", flags.nkey)
	}
	fmt.Fprintf(s.out, "a machine that works:           ldfi worker --nats %s%s\n", url, key)
	fmt.Fprintf(s.out, "a machine that asks:            %sldfi check --workers %s\n", env, url)
}

// url is how others reach an address: the name of this machine stands for all of its
// addresses.
func (f *serveFlags) url(address *net.TCPAddr) string {
	scheme, host := "nats", address.IP.String()
	if f.cert != "" {
		scheme = "tls"
	}
	if address.IP.IsUnspecified() {
		host = "HOST"
		if name, err := os.Hostname(); err == nil {
			host = name
		}
	}
	return scheme + "://" + net.JoinHostPort(host, strconv.Itoa(address.Port))
}
