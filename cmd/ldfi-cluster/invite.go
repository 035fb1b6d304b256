package main

import (
	"fmt"
	"net"
	"os"
	"strconv"

	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/broker"
	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/connection"
)

// invite prints what to type on other machines. Where only this one connects, with the key
// that this user has, nothing has to be said of that.
func (s streams) invite(server *broker.Server, flags serveFlags, file string) {
	url := flags.url(server.Address())
	key, env := "", ""
	home, err := connection.Home()
	found := err == nil && file == connection.Own(home)
	if file != "" && !(found && server.Address().IP.IsLoopback()) {
		key, env = " --nkey "+file, "LDFI_NKEY="+file+" "
	}
	fmt.Fprintf(s.out, "the server is at %s\n", url)
	switch {
	case key != "":
		fmt.Fprintf(s.out, "copy the key to each machine:   %s\n", file)
	case file != "":
		fmt.Fprintf(s.out, "only this user can connect:     the key is %s\n", file)
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
