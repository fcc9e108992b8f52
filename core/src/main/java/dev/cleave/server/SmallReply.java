package dev.cleave.server;

import dev.cleave.serial.Codec;
import dev.cleave.serial.ValueWriter;
import io.netty.buffer.ByteBuf;

/** The buffer for small results, one after the other; the connection copies them. */
record SmallReply(ByteBuf frame, Codec codec, ValueWriter out) {}
