package dev.cleave.cluster.zookeeper;

import dev.cleave.broker.store.Key;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The paths of keys in ZooKeeper: each part in ASCII, all but letters, digits, '-' and '_' as {@code ~hh}. */
final class Paths {

    private Paths() {}

    /** Returns the path of a key below a root; the root for a key without parts. */
    static String of(String root, Key key) {
        StringBuilder path = new StringBuilder(root);
        for (String part : key.parts()) {
            path.append('/');
            for (byte each : part.getBytes(StandardCharsets.UTF_8)) {
                int value = each & 0xff;
                if (isPlain(value)) {
                    path.append((char) value);
                } else {
                    path.append('~')
                            .append(Character.forDigit(value >> 4, 16))
                            .append(Character.forDigit(value & 15, 16));
                }
            }
        }
        return path.toString();
    }

    /** Returns the key of a path; null if it is that of none. */
    static @Nullable Key key(String root, String path) {
        if (!path.startsWith(root + "/")) {
            return null;
        }
        List<String> parts = new ArrayList<>();
        for (String part : path.substring(root.length() + 1).split("/", -1)) {
            byte[] bytes = new byte[part.length()];
            int length = 0;
            for (int i = 0; i < part.length(); i++) {
                int value = part.charAt(i);
                if (value == '~') {
                    if (i + 2 >= part.length()) {
                        return null;
                    }
                    int high = Character.digit(part.charAt(i + 1), 16);
                    int low = Character.digit(part.charAt(i + 2), 16);
                    if (high < 0 || low < 0) {
                        return null;
                    }
                    value = high << 4 | low;
                    i += 2;
                } else if (!isPlain(value)) {
                    return null;
                }
                bytes[length++] = (byte) value;
            }
            if (length == 0) {
                return null;
            }
            parts.add(new String(bytes, 0, length, StandardCharsets.UTF_8));
        }
        Key key = new Key(parts);
        return of(root, key).equals(path) ? key : null;
    }

    private static boolean isPlain(int value) {
        return value >= 'a' && value <= 'z'
                || value >= 'A' && value <= 'Z'
                || value >= '0' && value <= '9'
                || value == '-'
                || value == '_';
    }
}
