package dev.cleave.broker.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The records of the store come from others: any bytes are read, or refused with one typed exception. */
@Tag("one-jdk")
final class RecordsTest {

    private static final int MUTATIONS = Boolean.getBoolean("cleave.full") ? 200_000 : 15_000;

    private static final ReplicaRecord REPLICA =
            new ReplicaRecord(77, "b-1", 3, "dev.cleave.Käse", "server", List.of("tcp://localhost:1", "tcp://[::1]:2"));

    @Test
    void comeBackAsTheyWere() throws RecordException {
        BrokerRecord broker = new BrokerRecord("tcp://broker@localhost:7420", 99);
        ReplicaRecord nobody = new ReplicaRecord(Long.MIN_VALUE, "", -1, "", null, List.of());

        assertThat(ReplicaRecord.read(REPLICA.write())).isEqualTo(REPLICA);
        assertThat(ReplicaRecord.read(nobody.write())).isEqualTo(nobody);
        assertThat(BrokerRecord.read(broker.write())).isEqualTo(broker);
        SharedFile.FileRecord file = new SharedFile.FileRecord(5, "services:\n  käse: {}\n");
        assertThat(SharedFile.FileRecord.read(file.write())).isEqualTo(file);
    }

    @Test
    void mutatedBytesAreReadOrRefusedAndNothingElse() {
        long seed = Long.getLong("cleave.records.seed", 28);
        Random random = new Random(seed);
        byte[] whole = REPLICA.write();
        int refused = 0;
        int read = 0;
        for (int i = 0; i < MUTATIONS; i++) {
            byte[] bytes = random.nextInt(10) == 0 ? new byte[random.nextInt(100)] : whole.clone();
            if (bytes.length != whole.length) {
                random.nextBytes(bytes);
            }
            for (int changes = random.nextInt(4); changes >= 0 && bytes.length > 0; changes--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            if (random.nextInt(4) == 0) {
                bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length + 20));
            }
            try {
                ReplicaRecord record = ReplicaRecord.read(bytes);
                assertThat(record.endpoints().size()).isLessThanOrEqualTo(ReplicaRecord.MOST_ENDPOINTS);
                assertThat(ReplicaRecord.read(record.write())).isEqualTo(record);
                read++;
            } catch (RecordException e) {
                refused++;
            }
        }
        assertThat(refused).as("seed %d", seed).isPositive();
        assertThat(read).as("seed %d", seed).isPositive();
    }

    @Test
    void aTextThatIsLongerThanItsBytesOrThanAllowedIsRefused() {
        byte[] bytes = new SharedFile.FileRecord(5, "text").write();
        for (int length : new int[] {-1, 5, SharedFile.FileRecord.MOST_BYTES + 1, Integer.MAX_VALUE}) {
            ByteBuffer.wrap(bytes).putInt(9, length);

            assertThatThrownBy(() -> SharedFile.FileRecord.read(bytes)).isInstanceOf(RecordException.class);
        }
    }

    @Test
    void namesThatSteerATerminalAreRefused() {
        byte[] bytes = new ReplicaRecord(1, "b-\u001b[2J", 1, "x", null, List.of()).write();

        assertThat(catchRecord(bytes)).contains("control characters");
    }

    @Test
    void bytesBehindTheEndAndOtherFormatsAreRefused() {
        byte[] whole = REPLICA.write();
        byte[] longer = Arrays.copyOf(whole, whole.length + 1);
        byte[] later = whole.clone();
        later[0] = 2;

        assertThat(catchRecord(longer)).isEqualTo("1 bytes after the end");
        assertThat(catchRecord(later)).isEqualTo("format: 2 (expected: 1)");
    }

    private static String catchRecord(byte[] bytes) {
        try {
            return "read: " + ReplicaRecord.read(bytes);
        } catch (RecordException e) {
            return e.getMessage();
        }
    }
}
