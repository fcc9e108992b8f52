/**
 * Connections within one process: buffers change hands, nothing is copied. Used through {@link
 * dev.cleave.transport.Transport}; handlers run on the transport's own threads, one event at a time per connection.
 */
@NullMarked
package dev.cleave.transport.local;

import org.jspecify.annotations.NullMarked;
