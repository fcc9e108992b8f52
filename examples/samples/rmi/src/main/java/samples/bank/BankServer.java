package samples.bank;

import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

public class BankServer extends UnicastRemoteObject implements Bank {

    private static final long serialVersionUID = 1;

    private final Map<String, Account> accounts = new TreeMap<>();

    protected BankServer() throws RemoteException {
        super(0);
    }

    @Override
    public synchronized Account open(String owner) throws RemoteException {
        Account made = new AccountImpl(owner);
        accounts.put(owner, made);
        return made;
    }

    @Override
    public synchronized Account find(String owner) {
        return accounts.get(owner);
    }

    @Override
    public synchronized List<Account> all() {
        return new ArrayList<>(accounts.values());
    }

    @Override
    public synchronized boolean has(Account account) {
        for (Account each : accounts.values()) {
            if (each.equals(account)) {
                return true;
            }
        }
        return false;
    }

    public static void main(String[] args) throws Exception {
        Registry registry = LocateRegistry.getRegistry("localhost", Integer.parseInt(args[0]));
        registry.rebind("bank", new BankServer());
        System.out.println("bank: open");
    }
}
