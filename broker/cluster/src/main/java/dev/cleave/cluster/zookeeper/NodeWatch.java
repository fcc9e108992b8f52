package dev.cleave.cluster.zookeeper;

import static java.util.Objects.requireNonNull;

import dev.cleave.broker.store.ClusterStore;
import dev.cleave.broker.store.Entry;
import dev.cleave.broker.store.Key;
import dev.cleave.broker.store.StoreException;
import dev.cleave.concurrent.SafeLog;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Tells a listener of all changes below a path, by one recursive watch. Events of ZooKeeper have no values: each changed
 * node is read after its event, so a listener is told of the last of several quick changes. All of this runs on a thread
 * of its own.
 */
final class NodeWatch implements AutoCloseable {

    private static final System.Logger LOG = SafeLog.of(NodeWatch.class);
    private static final long AGAIN_MILLIS = 500;
    private static final int ANSWER_SECONDS = 10;
    private static final int TOGETHER = 128; // readings in flight

    private final CuratorFramework client;
    private final String root;
    private final Key prefix;
    private final ClusterStore.Listener listener;
    private final Function<Key, List<Entry>> reader;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread made = new Thread(task, "cleave-broker-watch");
        made.setDaemon(true);
        return made;
    });
    private final Watcher watcher = this::onEvent;
    private final AtomicBoolean reading = new AtomicBoolean(); // all entries are about to be read
    private final Set<String> dirty = new LinkedHashSet<>(); // guarded by itself

    NodeWatch(
            CuratorFramework client,
            String root,
            Key prefix,
            ClusterStore.Listener listener,
            Function<Key, List<Entry>> reader) {
        this.client = client;
        this.root = root;
        this.prefix = prefix;
        this.listener = listener;
        this.reader = reader;
    }

    /** Watches, and tells all entries, because the session has begun or has been resumed. */
    void begin() {
        if (reading.compareAndSet(false, true)) {
            run(this::readAll);
        }
    }

    /** Tells the listener something after all that it was told before. */
    void tell(Consumer<ClusterStore.Listener> news) {
        run(() -> news.accept(listener));
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    private void readAll() {
        reading.set(false);
        try {
            client.watchers()
                    .add()
                    .withMode(AddWatchMode.PERSISTENT_RECURSIVE)
                    .usingWatcher(watcher)
                    .forPath(Paths.of(root, prefix));
            synchronized (dirty) {
                dirty.clear();
            }
            List<Entry> all = reader.apply(prefix);
            listener.onSync(all);
        } catch (Exception e) {
            LOG.log(System.Logger.Level.DEBUG, "all entries are read again soon: {0}", e.getMessage());
            try {
                var unused = thread.schedule(this::begin, AGAIN_MILLIS, TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException closed) {
                return;
            }
        }
    }

    /** On the event thread of the session. */
    private void onEvent(WatchedEvent event) {
        String path = event.getPath();
        if (path == null || event.getType() == Watcher.Event.EventType.None) {
            return;
        }
        boolean isFirst;
        synchronized (dirty) {
            isFirst = dirty.isEmpty();
            dirty.add(path);
        }
        if (isFirst) {
            run(this::readDirty);
        }
    }

    private void readDirty() {
        while (true) {
            List<String> paths = new ArrayList<>();
            synchronized (dirty) {
                Iterator<String> waiting = dirty.iterator();
                while (waiting.hasNext() && paths.size() < TOGETHER) {
                    paths.add(waiting.next());
                    waiting.remove();
                }
            }
            if (paths.isEmpty()) {
                return;
            }
            try {
                readSome(paths);
            } catch (StoreException | KeeperException e) {
                LOG.log(System.Logger.Level.DEBUG, "{0}: {1}", paths.get(0), e.getMessage());
                begin(); // an event was lost: only all entries make up for it
                return;
            } catch (InterruptedException e) { // the watch is closed
                Thread.currentThread().interrupt();
                return;
            } catch (Exception e) {
                LOG.log(System.Logger.Level.WARNING, paths.get(0), e);
                begin();
                return;
            }
        }
    }

    /** The answer to a reading of one node. */
    private record Answer(
            int code, byte @Nullable [] value, @Nullable Stat stat) {}

    /** Reads nodes side by side, for a storm of registrations would wait a round trip for each, and tells them in turn. */
    private void readSome(List<String> paths) throws Exception {
        ZooKeeper keeper = client.getZookeeperClient().getZooKeeper();
        Map<String, Answer> answers = new ConcurrentHashMap<>();
        CountDownLatch open = new CountDownLatch(paths.size());
        for (String path : paths) {
            keeper.getData(
                    path,
                    false,
                    (code, at, context, value, stat) -> {
                        answers.put(path, new Answer(code, value, stat));
                        open.countDown();
                    },
                    null);
        }
        if (!open.await(ANSWER_SECONDS, TimeUnit.SECONDS)) {
            throw new StoreException("no answer within " + ANSWER_SECONDS + " s", null);
        }
        for (String path : paths) {
            Key key = Paths.key(root, path);
            if (key != null) {
                tell(key, requireNonNull(answers.get(path)));
            }
        }
    }

    private void tell(Key key, Answer answer) throws KeeperException {
        Stat stat = answer.stat();
        byte[] value = answer.value();
        if (answer.code() == KeeperException.Code.NONODE.intValue()) {
            listener.onRemoved(key, Long.MAX_VALUE);
        } else if (answer.code() != KeeperException.Code.OK.intValue() || stat == null) {
            throw KeeperException.create(KeeperException.Code.get(answer.code()));
        } else if (value == null || value.length == 0) {
            listener.onRemoved(key, stat.getMzxid());
        } else {
            listener.onPut(new Entry(key, value, stat.getMzxid(), stat.getVersion()));
        }
    }

    private void run(Runnable task) {
        try {
            thread.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.log(System.Logger.Level.DEBUG, "after the end of the watch", e);
        }
    }
}
