package dev.cleave.client;

import dev.cleave.call.Link;
import dev.cleave.serial.WrittenValue;
import dev.cleave.wire.SharedLane;
import java.util.concurrent.CompletableFuture;

/** Fetches results that servers keep. */
@FunctionalInterface
interface ResultSource {

    /** Fetches the result of a call of a lane over a link to its server; the future ends within the deadline of calls. */
    CompletableFuture<WrittenValue> fetch(Link from, SharedLane lane, int call);
}
