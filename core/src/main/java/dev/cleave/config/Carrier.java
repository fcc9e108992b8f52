package dev.cleave.config;

/** The transport of the calls of a method to a replica that is dialled. */
public enum Carrier {
    /** A unix domain socket where the replica is on the same host, else TCP. */
    AUTO,
    /** TCP, also on the same host. */
    TCP,
    /** A unix domain socket; a replica on another host cannot be reached. */
    UNIX,
    /** Datagrams for frames that fit into one, and TCP for others. */
    UDP,
    /** Memory; a replica of another process cannot be reached. */
    LOCAL
}
