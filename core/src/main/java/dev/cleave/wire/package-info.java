/**
 * What peers say to each other, byte by byte: one record per frame kind, the error codes, the limits. Every length is
 * checked against the bytes that are there before anything is allocated; what breaks a rule is a {@link
 * dev.cleave.wire.WireException}. Knows no exceptions of ours; anybody may use it.
 */
@NullMarked
package dev.cleave.wire;

import org.jspecify.annotations.NullMarked;
