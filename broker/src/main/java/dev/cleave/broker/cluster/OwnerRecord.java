package dev.cleave.broker.cluster;

import static java.util.Objects.requireNonNull;

/**
 * The record of the broker that moves the waiting calls of a service; its key has the service.
 *
 * <pre>
 *   u8 format | string broker | u64 epoch | u64 token
 * </pre>
 *
 * @param broker its id
 * @param epoch its epoch when it wrote this
 * @param token greater than those of all brokers that moved calls of the service before
 */
record OwnerRecord(String broker, long epoch, long token) {

    OwnerRecord {
        requireNonNull(broker, "broker");
    }

    static OwnerRecord read(byte[] value) throws RecordException {
        RecordBytes in = RecordBytes.read(value);
        OwnerRecord read = new OwnerRecord(in.string(), in.bits64(), in.bits64());
        in.end();
        if (read.token <= 0) {
            throw new RecordException("token: " + read.token + " (expected: positive)");
        }
        return read;
    }

    byte[] write() {
        return RecordBytes.write(out -> {
            RecordBytes.string(out, broker);
            out.writeLong(epoch);
            out.writeLong(token);
        });
    }
}
