package dev.cleave.broker.cluster;

import static java.util.Objects.requireNonNull;

/**
 * The record of a broker in the store; its key has its id.
 *
 * <pre>
 *   u8 format | string endpoint | u64 started
 * </pre>
 *
 * @param endpoint where nodes and other brokers dial it
 * @param startedMillis when it started, in ms since 1970, for people
 */
record BrokerRecord(String endpoint, long startedMillis) {

    BrokerRecord {
        requireNonNull(endpoint, "endpoint");
    }

    static BrokerRecord read(byte[] value) throws RecordException {
        RecordBytes in = RecordBytes.read(value);
        BrokerRecord read = new BrokerRecord(in.string(), in.bits64());
        in.end();
        return read;
    }

    byte[] write() {
        return RecordBytes.write(out -> {
            RecordBytes.string(out, endpoint);
            out.writeLong(startedMillis);
        });
    }
}
