package dev.cleave.config;

/** The way of a call from client to server. */
public enum Route {
    /** The broker resolves, and the client dials the server. */
    DIRECT,
    /** The broker passes every frame on; clients see nobody else. */
    RELAY
}
