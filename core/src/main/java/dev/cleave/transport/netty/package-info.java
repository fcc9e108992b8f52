/**
 * TCP by Netty: epoll where the machine has it, NIO elsewhere. Used through {@link dev.cleave.transport.Transport};
 * handlers run on Netty's event loops.
 */
@NullMarked
package dev.cleave.transport.netty;

import org.jspecify.annotations.NullMarked;
