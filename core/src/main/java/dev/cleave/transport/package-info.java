/**
 * Moves bytes between two peers: connects, listens, writes frames, receives frames. Knows no calls. Implementations
 * live in the packages below; each passes the one contract test.
 */
@NullMarked
package dev.cleave.transport;

import org.jspecify.annotations.NullMarked;
