package dev.cleave.config;

/** Says which of two waiting calls goes first: {@code prefer} in an application file. */
public enum Preference {
    /** The call of greater priority; among equals, the one on which its caller is blocked. */
    PRIORITY,
    /** The call on which its caller is blocked; among those, the one of greater priority. */
    BLOCKED
}
