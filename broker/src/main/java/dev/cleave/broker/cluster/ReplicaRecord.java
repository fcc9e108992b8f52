package dev.cleave.broker.cluster;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The record of a replica in the store; its key has the service and the name.
 *
 * <pre>
 *   u8 format | u64 incarnation | string home | u64 epoch | string interface | u8 has identity | string identity
 *   | u8 endpoints | string endpoint ...
 * </pre>
 *
 * @param incarnation differs between two processes of the replica; the later one has the greater
 * @param home the id of the broker to which it is connected
 * @param epoch the fencing token of that broker when it wrote this
 * @param interfaceName the binary name of the remote interface
 * @param identity the identity that registered it; null if it was not asked for one
 * @param endpoints where it is dialled; none if calls are relayed
 */
public record ReplicaRecord(
        long incarnation,
        String home,
        long epoch,
        String interfaceName,
        @Nullable String identity,
        List<String> endpoints) {

    static final int MOST_ENDPOINTS = 8;

    /** Copies its components. */
    public ReplicaRecord {
        requireNonNull(home, "home");
        requireNonNull(interfaceName, "interfaceName");
        endpoints = List.copyOf(endpoints);
    }

    /**
     * Reads a record, which any process may have written.
     *
     * @throws RecordException if the bytes are none
     */
    public static ReplicaRecord read(byte[] value) throws RecordException {
        RecordBytes in = RecordBytes.read(value);
        long incarnation = in.bits64();
        String home = in.string();
        long epoch = in.bits64();
        String interfaceName = in.string();
        boolean hasIdentity = in.u8() != 0;
        String identity = in.string();
        int count = in.u8();
        if (count > MOST_ENDPOINTS) {
            throw new RecordException("endpoints: " + count + " (expected: at most " + MOST_ENDPOINTS + ")");
        }
        List<String> endpoints = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            endpoints.add(in.string());
        }
        in.end();
        return new ReplicaRecord(incarnation, home, epoch, interfaceName, hasIdentity ? identity : null, endpoints);
    }

    /** Returns the bytes of the record. */
    public byte[] write() {
        return RecordBytes.write(out -> {
            out.writeLong(incarnation);
            RecordBytes.string(out, home);
            out.writeLong(epoch);
            RecordBytes.string(out, interfaceName);
            out.writeByte(identity == null ? 0 : 1);
            RecordBytes.string(out, identity == null ? "" : identity);
            out.writeByte(endpoints.size());
            for (String endpoint : endpoints) {
                RecordBytes.string(out, endpoint);
            }
        });
    }
}
