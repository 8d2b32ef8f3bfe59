// The part that bt uses of an optional package, which need not be installed to compile.
// See https://github.com/Brooooooklyn/keyring-node
declare module "@napi-rs/keyring" {
  export class AsyncEntry {
    constructor(service: string, account: string);
    setPassword(password: string): Promise<void>;
    getPassword(): Promise<string | null>;
    deletePassword(): Promise<boolean>;
  }
}
