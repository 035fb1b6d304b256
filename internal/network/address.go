package network

import (
	"context"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// lastFixedPort is the last port that is never assigned to a socket that asks for any port.
const lastFixedPort = 49151

// Address returns the address of a machine, by its index.
func Address(machine int) net.IP {
	n := machine + 1
	return net.IPv4(10, byte(n>>16), byte(n>>8), byte(n)).To4()
}

// loopback is the address of each machine for itself.
var loopback = net.IPv4(127, 0, 0, 1).To4()

// machine returns the name of the machine that has an address; empty if none has.
func (h *Host) machine(ip net.IP) string {
	if ip.IsLoopback() || ip.IsUnspecified() {
		return h.Name
	}
	ip = ip.To4()
	if ip == nil || ip[0] != 10 {
		return ""
	}
	n := int(ip[1])<<16 | int(ip[2])<<8 | int(ip[3])
	if n < 1 || n > len(h.Names) {
		return ""
	}
	return h.Names[n-1]
}

// endpoint is an address of a socket as listeners and dialers name it.
type endpoint struct {
	ip   net.IP // nil: none was named
	port int
}

// addr returns the address of the type that a network has.
func (e endpoint) addr(network string) net.Addr {
	if networks[network] == "tcp" {
		return &net.TCPAddr{IP: e.ip, Port: e.port}
	}
	return &net.UDPAddr{IP: e.ip, Port: e.port}
}

// resolve returns the endpoint that an address names.
func (h *Host) resolve(network, address string) (endpoint, error) {
	if networks[network] == "" {
		return endpoint{}, net.UnknownNetworkError(network)
	}
	if address == "" {
		return endpoint{}, errMissingAddress
	}
	host, service, err := net.SplitHostPort(address)
	if err != nil {
		return endpoint{}, err
	}
	port, err := portOf(network, service)
	if err != nil {
		return endpoint{}, err
	}
	ip, err := h.Lookup(host)
	if err == nil && strings.HasSuffix(network, "6") && ip.To4() != nil {
		err = &net.AddrError{Err: "no suitable address found", Addr: host}
	}
	return endpoint{ip, port}, err
}

// Lookup returns the address of a name, or the address that the text is; nil for an
// empty text.
func (h *Host) Lookup(name string) (net.IP, error) {
	if name == "" {
		return nil, nil
	}
	if a, err := netip.ParseAddr(name); err == nil {
		return net.IP(a.Unmap().AsSlice()), nil
	}
	name = strings.TrimSuffix(name, ".")
	if strings.EqualFold(name, "localhost") {
		return loopback, nil
	}
	i := slices.Index(h.Names, name)
	if i < 0 {
		i = slices.IndexFunc(h.Names, func(n string) bool { return strings.EqualFold(n, name) })
	}
	if i < 0 {
		return nil, &net.DNSError{Err: "no such host", Name: name, IsNotFound: true}
	}
	return Address(i), nil
}

// LookupHost returns the addresses of a name.
func (h *Host) LookupHost(_ context.Context, name string) ([]net.IP, error) {
	ip, err := h.Lookup(name)
	if err != nil {
		return nil, err
	}
	return []net.IP{ip}, nil
}

// LookupAddr returns the names of an address.
func (h *Host) LookupAddr(_ context.Context, ip net.IP) ([]string, error) {
	if ip.IsLoopback() {
		return []string{"localhost"}, nil
	}
	if name := h.machine(ip); name != "" && !ip.IsUnspecified() {
		return []string{name}, nil
	}
	return nil, &net.DNSError{Err: "no such host", Name: ip.String(), IsNotFound: true}
}

// Addrs returns the addresses of the machine.
func (h *Host) Addrs() []net.Addr {
	return []net.Addr{&net.IPNet{IP: loopback, Mask: net.CIDRMask(8, 32)}, &net.IPNet{IP: h.ip, Mask: net.CIDRMask(8, 32)}}
}

// services are the ports with names.
var services = map[string]int{"": 0, "http": 80, "https": 443, "domain": 53}

func portOf(network, service string) (int, error) {
	if port, ok := services[service]; ok {
		return port, nil
	}
	port, err := strconv.Atoi(service)
	if err != nil {
		return 0, &net.DNSError{Err: "unknown port", Name: network + "/" + service, IsNotFound: true}
	}
	if port < 0 || port > 65535 {
		return 0, &net.AddrError{Err: "invalid port", Addr: service}
	}
	return port, nil
}

// owns tells whether a machine can listen on an address.
func (h *Host) owns(ip net.IP) bool {
	return ip == nil || ip.IsUnspecified() || ip.IsLoopback() || ip.Equal(h.ip)
}

// listensTo tells whether a listener on the address on receives data sent to the address
// to.
func listensTo(on, to net.IP) bool { return on.IsUnspecified() || on.Equal(to) }

// overlap tells whether listeners on a and b cannot use the same port.
func overlap(a, b net.IP) bool { return listensTo(a, b) || listensTo(b, a) }

// anyPort returns the next unused port; 0 if there is none.
func (h *Host) anyPort(used func(port int) bool) int {
	for range 65535 - lastFixedPort {
		h.port++
		if h.port > 65535 {
			h.port = lastFixedPort + 1
		}
		if !used(h.port) {
			return h.port
		}
	}
	return 0
}

// listening returns the address to listen on for an endpoint. Without 4 or 6 in the
// network that is any address of both, as with package net.
func listening(network string, e endpoint) net.IP {
	switch {
	case e.ip != nil && !e.ip.IsUnspecified():
		return e.ip
	case strings.HasSuffix(network, "4"):
		return net.IPv4zero.To4()
	}
	return net.IPv6unspecified
}

// source returns the address of the machine for connections to an address.
func (h *Host) source(to net.IP) net.IP {
	if to.IsLoopback() {
		return to
	}
	return h.ip
}

// destination returns the address that is meant by one to dial.
func destination(e endpoint) net.IP {
	if e.ip == nil || e.ip.IsUnspecified() {
		return loopback
	}
	return e.ip
}
