/**
 * The protocol, byte by byte: one record per frame kind, the error codes, the limits. Every length is checked against
 * the bytes that have arrived before anything is allocated; wrong bytes cause a {@link dev.cleave.wire.WireException}.
 * Knows no other exceptions of ours; every package may use it.
 */
@NullMarked
package dev.cleave.wire;

import org.jspecify.annotations.NullMarked;
