package dev.cleave.cluster.zookeeper;

import static java.util.Objects.requireNonNull;

import dev.cleave.broker.store.ClusterStore;
import dev.cleave.broker.store.Entry;
import dev.cleave.broker.store.Key;
import dev.cleave.broker.store.StoreException;
import dev.cleave.concurrent.SafeLog;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * The store in ZooKeeper, through Curator.
 *
 * <p>The version of an entry is the transaction that wrote it, so versions of different entries compare; its revision is
 * the counter of the node, on which ZooKeeper makes writes conditional. A removed entry leaves an empty node for {@link
 * #KEEP_EMPTY_MILLIS}, so that the counter cannot begin again while a writer holds an old one; nodes above are container
 * nodes, which ZooKeeper removes when they are empty.
 */
final class ZooKeeperStore implements ClusterStore {

    /** How long the node of a removed entry stays, in milliseconds. */
    static final long KEEP_EMPTY_MILLIS = 600_000;

    private static final int SESSION_MILLIS = 6_000;
    private static final int CONNECT_MILLIS = 3_000;
    private static final int ANSWER_SECONDS = 10;
    private static final int TOGETHER = 512; // requests in flight while all entries are read
    private static final int MOST_ENTRIES = 200_000;

    /** Loggers are kept, so that their levels are. */
    private static final List<Logger> QUIET = quiet("org.apache.zookeeper", "org.apache.curator");

    private static final System.Logger LOG = SafeLog.of(ZooKeeperStore.class);

    private final CuratorFramework client;
    private final String root;
    private final List<NodeWatch> watches = new ArrayList<>(); // guarded by itself
    private volatile Health health = Health.SUSPENDED;
    private volatile long fence;

    private ZooKeeperStore(CuratorFramework client, String root) {
        this.client = client;
        this.root = root;
    }

    /** Opens a session; returns at once. */
    static ZooKeeperStore open(String servers, String root) {
        CuratorFramework client = CuratorFrameworkFactory.builder()
                .connectString(servers)
                .sessionTimeoutMs(SESSION_MILLIS)
                .connectionTimeoutMs(CONNECT_MILLIS)
                .retryPolicy(new RetryOneTime(100))
                .waitForShutdownTimeoutMs(100)
                .build();
        ZooKeeperStore store = new ZooKeeperStore(client, root);
        client.getConnectionStateListenable().addListener((curator, state) -> store.onState(state));
        client.start();
        return store;
    }

    @Override
    public Optional<Entry> get(Key key) {
        return verb(key.toString(), () -> Optional.ofNullable(read(key)).filter(ZooKeeperStore::isThere));
    }

    private static boolean isThere(Entry entry) {
        return entry.value().length > 0;
    }

    /** Reads a node; null if there is none. The value of a removed entry is empty. */
    private @Nullable Entry read(Key key) throws Exception {
        Stat stat = new Stat();
        try {
            byte[] value = client.getData().storingStatIn(stat).forPath(Paths.of(root, key));
            return entry(key, value, stat);
        } catch (KeeperException.NoNodeException e) {
            return null;
        }
    }

    private static Entry entry(Key key, byte @Nullable [] value, Stat stat) {
        return new Entry(key, value == null ? new byte[0] : value, stat.getMzxid(), stat.getVersion());
    }

    @Override
    public Entry put(Key key, byte[] value, @Nullable Entry expected) {
        if (value.length > MOST_BYTES) {
            throw new IllegalArgumentException(
                    "value: " + value.length + " bytes (expected: at most " + MOST_BYTES + ")");
        }
        return verb(key.toString(), () -> {
            try {
                if (expected != null) {
                    return set(key, value, expected);
                }
                Entry empty = read(key);
                if (empty == null) {
                    return create(key, value);
                }
                if (isThere(empty)) {
                    throw new StoreException.Conflict(key);
                }
                return set(key, value, empty);
            } catch (KeeperException.BadVersionException
                    | KeeperException.NoNodeException
                    | KeeperException.NodeExistsException e) {
                throw new StoreException.Conflict(key);
            }
        });
    }

    private Entry set(Key key, byte[] value, Entry expected) throws Exception {
        Stat stat = client.setData().withVersion(expected.revision()).forPath(Paths.of(root, key), value);
        return entry(key, value, stat);
    }

    private Entry create(Key key, byte[] value) throws Exception {
        Stat stat = new Stat();
        String unused = client.create()
                .storingStatIn(stat)
                .creatingParentContainersIfNeeded()
                .withMode(CreateMode.PERSISTENT)
                .forPath(Paths.of(root, key), value);
        return entry(key, value, stat);
    }

    @Override
    public long ephemeral(Key key, byte[] value) {
        return verb(key.toString(), () -> {
            String path = Paths.of(root, key);
            long session = client.getZookeeperClient().getZooKeeper().getSessionId();
            Stat before = client.checkExists().forPath(path);
            if (before != null && before.getEphemeralOwner() != session) {
                client.delete().forPath(path); // of an earlier session of this broker
                before = null;
            }
            Stat stat = new Stat();
            if (before == null) {
                String unused = client.create()
                        .storingStatIn(stat)
                        .creatingParentContainersIfNeeded()
                        .withMode(CreateMode.EPHEMERAL)
                        .forPath(path, value);
            } else {
                stat = before;
            }
            fence = stat.getCzxid();
            return fence;
        });
    }

    @Override
    public List<Entry> list(Key prefix) {
        return verb(prefix.toString(), () -> {
            ZooKeeper keeper = client.getZookeeperClient().getZooKeeper();
            List<Entry> found = new Reading(keeper, Paths.of(root, prefix)).all();
            sweep(keeper, found);
            return found.stream()
                    .filter(ZooKeeperStore::isThere)
                    .sorted(Comparator.comparing(entry -> entry.key().toString()))
                    .toList();
        });
    }

    /** Deletes the nodes of entries that were removed long ago; others may do the same. */
    private void sweep(ZooKeeper keeper, List<Entry> found) {
        long now = System.currentTimeMillis();
        for (Entry entry : found) {
            if (!isThere(entry) && entry.key().parts().size() == 3) {
                Stat stat;
                String path = Paths.of(root, entry.key());
                try {
                    stat = keeper.exists(path, false);
                    if (stat != null
                            && stat.getMzxid() == entry.version()
                            && now - stat.getMtime() > KEEP_EMPTY_MILLIS) {
                        keeper.delete(path, entry.revision());
                    }
                } catch (KeeperException e) {
                    return; // another time
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return;
                }
            }
        }
    }

    /** Reads all nodes below a path, many at a time. Callbacks run on the event thread of the session. */
    private final class Reading {

        private final ZooKeeper keeper;
        private final String top;
        private final ConcurrentLinkedQueue<Entry> found = new ConcurrentLinkedQueue<>();
        private final ConcurrentLinkedQueue<Integer> failures = new ConcurrentLinkedQueue<>();

        private Reading(ZooKeeper keeper, String top) {
            this.keeper = keeper;
            this.top = top;
        }

        private List<Entry> all() throws Exception {
            List<String> level = List.of(top);
            boolean isTop = true;
            while (!level.isEmpty()) {
                ConcurrentLinkedQueue<String> below = new ConcurrentLinkedQueue<>();
                for (int begin = 0; begin < level.size(); begin += TOGETHER) {
                    readSome(level.subList(begin, Math.min(level.size(), begin + TOGETHER)), below, isTop);
                }
                isTop = false;
                level = new ArrayList<>(below);
                if (found.size() > MOST_ENTRIES) {
                    throw new StoreException("more than " + MOST_ENTRIES + " entries", null);
                }
            }
            return new ArrayList<>(found);
        }

        private void readSome(List<String> paths, ConcurrentLinkedQueue<String> below, boolean isTop) throws Exception {
            Phaser open = new Phaser(1);
            for (String path : paths) {
                open.register();
                keeper.getChildren(
                        path,
                        false,
                        (code, at, context, children, stat) -> {
                            if (check(code)) {
                                children.forEach(child -> below.add(path + "/" + child));
                            }
                            int unused = open.arriveAndDeregister();
                        },
                        null);
                Key key = Paths.key(root, path);
                if (!isTop && key != null) {
                    open.register();
                    keeper.getData(
                            path,
                            false,
                            (code, at, context, value, stat) -> {
                                if (check(code)) {
                                    found.add(entry(key, value, stat));
                                }
                                int unused = open.arriveAndDeregister();
                            },
                            null);
                }
            }
            try {
                int unused = open.awaitAdvanceInterruptibly(open.arrive(), ANSWER_SECONDS, TimeUnit.SECONDS);
            } catch (TimeoutException e) {
                throw new StoreException("no answer within " + ANSWER_SECONDS + " s", e);
            }
            Integer failure = failures.peek();
            if (failure != null) {
                throw KeeperException.create(KeeperException.Code.get(failure));
            }
        }

        private boolean check(int code) {
            if (code != KeeperException.Code.OK.intValue() && code != KeeperException.Code.NONODE.intValue()) {
                failures.add(code);
            }
            return code == KeeperException.Code.OK.intValue();
        }
    }

    @Override
    public AutoCloseable watch(Key prefix, Listener listener) {
        NodeWatch made = new NodeWatch(client, root, prefix, listener, this::list);
        synchronized (watches) {
            watches.add(made);
        }
        if (health == Health.CONNECTED) {
            made.begin();
        }
        return () -> {
            synchronized (watches) {
                watches.remove(made);
            }
            made.close();
        };
    }

    @Override
    public long fence() {
        return fence;
    }

    @Override
    public Health health() {
        return health;
    }

    @Override
    public void close() {
        fence = 0;
        watches().forEach(NodeWatch::close);
        client.close();
        health = Health.LOST;
    }

    private List<NodeWatch> watches() {
        synchronized (watches) {
            return List.copyOf(watches);
        }
    }

    private void onState(ConnectionState state) {
        switch (state) {
            case CONNECTED, RECONNECTED -> {
                health = Health.CONNECTED;
                watches().forEach(NodeWatch::begin);
            }
            case SUSPENDED, READ_ONLY -> {
                health = Health.SUSPENDED;
                watches().forEach(watch -> watch.tell(Listener::onStale));
            }
            case LOST -> {
                health = Health.LOST;
                fence = 0;
                watches().forEach(watch -> watch.tell(Listener::onLost));
            }
            default -> LOG.log(System.Logger.Level.DEBUG, "connection: {0}", state);
        }
    }

    /** One call of the store. */
    private interface Verb<T> {

        T run() throws Exception;
    }

    private <T> T verb(String what, Verb<T> verb) {
        if (health != Health.CONNECTED) {
            // Fails at once instead of waiting for the connection: there is one thread for all verbs of a broker.
            if (!isConnectedSoon()) {
                throw new StoreException(what + ": ZooKeeper does not answer", null);
            }
        }
        try {
            return requireNonNull(verb.run());
        } catch (StoreException e) {
            throw e;
        } catch (KeeperException e) {
            throw new StoreException(what + ": " + e.code(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException(what + ": interrupted", e);
        } catch (Exception e) {
            throw new StoreException(what + ": " + e.getMessage(), e);
        }
    }

    private boolean isConnectedSoon() {
        try {
            return client.blockUntilConnected(CONNECT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static List<Logger> quiet(String... names) {
        List<Logger> loggers = new ArrayList<>();
        for (String name : names) {
            Logger logger = Logger.getLogger(name);
            if (logger.getLevel() == null) {
                logger.setLevel(Level.SEVERE); // the broker says what is to be known
            }
            loggers.add(logger);
        }
        return loggers;
    }
}
